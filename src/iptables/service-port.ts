import { cidrContains } from '../address.ts'
import { isExternallyAccessible } from '../model/categorize.ts'
import { servicePortName } from '../model/claims.ts'
import { endpointName } from '../model/endpoint-slice.ts'
import type { Endpoint, NodeContext, ServicePort, ServicePortView } from '../model/types.ts'
import { endpointChainName, servicePortHash } from './chain-names.ts'
import { emitFrontends } from './frontends.ts'
import type { Form, Sink } from './layout.ts'
import { comment, localMatch, probability } from './words.ts'

/** Names of the chains that a service port can have. */
export interface ChainNames {
  readonly cluster: string
  readonly local: string
  readonly external: string
  readonly firewall: string
}

/**
 * The rules of a service port, as kube-proxy 1.36's syncProxyRules writes them: its chains in `nat` (KUBE-SVC for policy Cluster, KUBE-SVL for
 * policy Local, KUBE-EXT for external traffic, KUBE-FW for source ranges, KUBE-SEP for each endpoint) and its rules in the hubs.
 */
export function emitServicePort(view: ServicePortView, { node, largeCluster }: Form, sink: Sink): void {
  const { port, endpoints } = view
  const hash = servicePortHash(port)
  const names = { cluster: `KUBE-SVC-${hash}`, local: `KUBE-SVL-${hash}`, external: `KUBE-EXT-${hash}`, firewall: `KUBE-FW-${hash}` }
  emitFrontends(view, node, names, sink)
  if (!endpoints.any) return

  if (isExternallyAccessible(port)) sink.chain('nat', names.external, externalRules(view, node, names))
  if (port.loadBalancerVIPs.length > 0 && port.sourceRanges.length > 0)
    sink.chain('nat', names.firewall, firewallRules(port, node, names.external))
  const chains = new Map(endpoints.reachable.map(endpoint => [endpoint, endpointChainName(port, endpoint)]))
  const internal = port.internalPolicyLocal ? names.local : names.cluster
  for (const [name, list] of [
    [names.cluster, endpoints.cluster],
    [names.local, endpoints.local],
  ] as const) {
    if (list.length === 0) continue
    const masquerade = name === internal ? clusterIPMasquerade(port, node) : []
    sink.chain('nat', name, [...masquerade, ...balance(port, list, chains, largeCluster)])
  }
  for (const [endpoint, chain] of chains) sink.chain('nat', chain, endpointRules(port, endpoint, chain, largeCluster))
}

/** Policy Cluster masquerades, since the endpoint may be elsewhere; policy Local keeps the source, but pods and the node itself skip the policy. */
function externalRules({ port, endpoints }: ServicePortView, node: NodeContext, names: ChainNames): string[] {
  const subject = `${servicePortName(port)} external destinations`
  if (!port.externalPolicyLocal) return [`${comment(`masquerade traffic for ${subject}`)} -j KUBE-MARK-MASQ`, `-j ${names.cluster}`]
  const fromPods = localMatch(node.localDetector)
  const fromNode = '-m addrtype --src-type LOCAL'
  return [
    ...(fromPods === undefined ? [] : [`${comment(`pod traffic for ${subject}`)} ${fromPods} -j ${names.cluster}`]),
    `${comment(`masquerade LOCAL traffic for ${subject}`)} ${fromNode} -j KUBE-MARK-MASQ`,
    `${comment(`route LOCAL traffic for ${subject}`)} ${fromNode} -j ${names.cluster}`,
    ...(endpoints.local.length > 0 ? [`-j ${names.local}`] : []),
  ]
}

/**
 * Lets the source ranges through. When one covers the node itself, so do the load-balancer addresses: some load balancers put their address on
 * the node's interface, and the node's own packets then have it as source.
 */
function firewallRules(port: ServicePort, node: NodeContext, external: string): string[] {
  const name = servicePortName(port)
  const fromNode = port.sourceRanges.some(range => cidrContains(range, node.nodeIP)) ? port.loadBalancerVIPs : []
  return [
    ...[...port.sourceRanges, ...fromNode].map(source => `${comment(`${name} loadbalancer IP`)} -s ${source} -j ${external}`),
    comment(`other traffic to ${name} will be dropped by KUBE-PROXY-FIREWALL`),
  ]
}

function clusterIPMasquerade(port: ServicePort, node: NodeContext): string[] {
  if (port.clusterIP === '') return []
  const toClusterIP = `${comment(`${servicePortName(port)} cluster IP`)} -m ${port.protocol} -p ${port.protocol} -d ${port.clusterIP} --dport ${port.port}`
  if (node.iptables.masqueradeAll) return [`${toClusterIP} -j KUBE-MARK-MASQ`]
  const fromPods = localMatch(node.localDetector)
  return fromPods === undefined ? [] : [`${toClusterIP} ! ${fromPods} -j KUBE-MARK-MASQ`]
}

/** Rules that send a packet to one of the endpoints' chains: first to the one that its source had before, else by chance. */
function balance(
  port: ServicePort,
  list: readonly Endpoint[],
  chains: ReadonlyMap<Endpoint, string>,
  largeCluster: boolean,
): readonly string[] {
  const name = servicePortName(port)
  const starts = list.map(endpoint => (largeCluster ? '' : `${comment(`${name} -> ${endpointName(endpoint)}`)} `))
  const targets = list.map(endpoint => chains.get(endpoint) as string)
  const recent = (chain: string): string => `-m recent --name ${chain} --rcheck --seconds ${port.affinitySeconds} --reap -j ${chain}`
  return [
    ...(port.affinitySeconds > 0 ? targets.map((chain, index) => `${starts[index]}${recent(chain)}`) : []),
    ...targets.map((chain, index) => {
      const remaining = targets.length - index
      const chance = remaining === 1 ? '' : `-m statistic --mode random --probability ${probability(remaining)} `
      return `${starts[index]}${chance}-j ${chain}`
    }),
  ]
}

/** An endpoint that reaches itself through its service gets the packet from the node, else it would answer itself directly. */
function endpointRules(port: ServicePort, endpoint: Endpoint, chain: string, largeCluster: boolean): readonly string[] {
  const start = largeCluster ? '' : `${comment(servicePortName(port))} `
  const remember = port.affinitySeconds > 0 ? `-m recent --name ${chain} --set ` : ''
  return [
    `${start}-s ${endpoint.ip} -j KUBE-MARK-MASQ`,
    `${start}${remember}-m ${port.protocol} -p ${port.protocol} -j DNAT --to-destination ${endpointName(endpoint)}`,
  ]
}
