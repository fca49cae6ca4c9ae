import { isExternallyAccessible } from '../../model/categorize.ts'
import { endpointName } from '../../model/endpoint-slice.ts'
import type { Endpoint, NodeContext, ServicePort, ServicePortView } from '../../model/types.ts'
import { endpointBase, servicePortBase } from './chain-names.ts'
import { allowedSources, emitFrontends, hasExternal, hasInternal } from './frontends.ts'
import type { Sink } from './layout.ts'
import { localMatch, setMark, wordsOf } from './words.ts'

/** How a version of kube-proxy spells what all of them do. */
export interface Dialect {
  /** Marks a packet for masquerading. */
  mark(node: NodeContext): string
  /** Comment of the mark in an external chain of policy Cluster. */
  readonly markComment: string
  /** Whether service ports without session affinity have a chain an endpoint too (1.33 to 1.35). */
  readonly chainPerEndpoint: boolean
  /** Whether endpoint chains recognise hairpin traffic themselves. */
  readonly hairpinInEndpointChain: boolean
  /** Whether cluster IP traffic is marked in the service's chain; later versions do it once, in `services`. */
  readonly marksClusterIPInChain: boolean
  /** Whether a single endpoint is written without numgen (1.37). */
  readonly plainSingleEndpoint: boolean
  /** 1.33 to 1.35 match the interface's index, so their rules load only where the interface exists, and never with a wildcard; 1.36 matches the name. */
  readonly interfaceKeyword: 'iif' | 'iifname'
  /** The rules of a firewall chain, which only packets to a restricted load-balancer address enter. */
  firewall(sources: readonly string[], ip: string): readonly string[]
}

/**
 * A service port in kube-proxy's own form: chains `service-…` (policy Cluster), `local-…` (policy Local), `external-…`, `firewall-…` and,
 * where the dialect or session affinity asks for them, `endpoint-…` with an `affinity-…` set each.
 */
export function emitServiceChains(view: ServicePortView, node: NodeContext, dialect: Dialect, sink: Sink): void {
  const { port, endpoints } = view
  const { ip } = wordsOf(node.family)
  const base = servicePortBase(port)
  const clusterChain = `service-${base}`
  const localChain = `local-${base}`
  const externalChain = `external-${base}`
  const internal = hasInternal(view) ? (port.internalPolicyLocal ? localChain : clusterChain) : undefined
  const external = endpoints.any && isExternallyAccessible(port) ? externalChain : undefined
  const perEndpoint = dialect.chainPerEndpoint || port.affinitySeconds > 0

  for (const [chain, list] of [
    [clusterChain, endpoints.cluster],
    [localChain, endpoints.local],
  ] as const) {
    if (list.length === 0) continue
    const marking = dialect.marksClusterIPInChain && chain === internal ? clusterIPMark(view, node, dialect) : []
    sink.chain(chain, [...marking, ...(perEndpoint ? toEndpointChains(view, list, ip) : [balance(view, list, ip, dialect)])])
  }
  if (external !== undefined) sink.chain(external, externalRules(view, node, dialect, clusterChain, localChain))
  if (perEndpoint) for (const endpoint of endpoints.reachable) emitEndpointChain(view, endpoint, node, dialect, sink)

  const goto = (chain: string | undefined): string | undefined => (chain === undefined ? undefined : `goto ${chain}`)
  emitFrontends(
    view,
    { internal: goto(internal), external: goto(external), nodePort: goto(external), firewall: emitFirewall(port, node, dialect, sink) },
    sink,
  )
}
/** The chain that restricts load-balancer addresses to source ranges, and the verdict that leads there; undefined when there is none. */
export function emitFirewall(
  port: ServicePort,
  node: NodeContext,
  { firewall }: Pick<Dialect, 'firewall'>,
  sink: Sink,
): string | undefined {
  if (port.loadBalancerVIPs.length === 0 || port.sourceRanges.length === 0) return undefined
  const chain = `firewall-${servicePortBase(port)}`
  sink.chain(chain, firewall(allowedSources(port, node), wordsOf(node.family).ip))
  return `goto ${chain}`
}

function clusterIPMark({ port }: ServicePortView, node: NodeContext, dialect: Dialect): string[] {
  if (port.clusterIP === '') return []
  const words = wordsOf(node.family)
  const toCluster = `${words.ip} daddr ${port.clusterIP}`
  if (node.nftables.masqueradeAll) return [`${toCluster} ${dialect.mark(node)}`]
  const notLocal = localMatch(node.localDetector, words, { negated: true, ...dialect })
  return notLocal === undefined ? [] : [`${toCluster} ${notLocal} ${dialect.mark(node)}`]
}

/** Policy Cluster masquerades, since the endpoint may be elsewhere; policy Local keeps the source, but pods and the node itself skip the policy. */
function externalRules(view: ServicePortView, node: NodeContext, dialect: Dialect, clusterChain: string, localChain: string): string[] {
  const { port } = view
  if (!port.externalPolicyLocal)
    return [`${dialect.mark(node)}${dialect.markComment}`, ...(hasExternal(view) ? [`goto ${clusterChain}`] : [])]
  const fromPods = localMatch(node.localDetector, wordsOf(node.family), dialect)
  return [
    ...(fromPods === undefined ? [] : [`${fromPods} goto ${clusterChain} comment "short-circuit pod traffic"`]),
    `fib saddr type local ${dialect.mark(node)} comment "masquerade local traffic"`,
    `fib saddr type local goto ${clusterChain} comment "short-circuit local traffic"`,
    ...(hasExternal(view) ? [`goto ${localChain}`] : []),
  ]
}

function toEndpointChains({ port }: ServicePortView, list: readonly Endpoint[], ip: string): string[] {
  const bases = list.map(endpoint => endpointBase(port, endpoint))
  const sticky = port.affinitySeconds > 0 ? bases.map(base => `${ip} saddr @affinity-${base} goto endpoint-${base}`) : []
  return [
    ...sticky,
    `numgen random mod ${bases.length} vmap { ${bases.map((base, slot) => `${slot} : goto endpoint-${base}`).join(' , ')} }`,
  ]
}

function balance({ port }: ServicePortView, list: readonly Endpoint[], ip: string, { plainSingleEndpoint }: Dialect): string {
  const only = list[0] as Endpoint
  if (plainSingleEndpoint && list.length === 1) return `meta l4proto ${port.protocol} dnat to ${endpointName(only)}`
  const slots = list.map((endpoint, slot) => `${slot} : ${endpoint.ip} . ${endpoint.port}`)
  return `meta l4proto ${port.protocol} dnat ${ip} addr . port to numgen random mod ${slots.length} map { ${slots.join(' , ')} }`
}

function emitEndpointChain({ port }: ServicePortView, endpoint: Endpoint, node: NodeContext, dialect: Dialect, sink: Sink): void {
  const { ip, addressType } = wordsOf(node.family)
  const base = endpointBase(port, endpoint)
  const sticky = port.affinitySeconds > 0
  if (sticky) sink.set(`affinity-${base}`, { type: addressType, flags: ['dynamic', 'timeout'], timeout: port.affinitySeconds })
  sink.chain(`endpoint-${base}`, [
    ...(dialect.hairpinInEndpointChain ? [`${ip} saddr ${endpoint.ip} ${dialect.mark(node)}`] : []),
    ...(sticky ? [`update @affinity-${base} { ${ip} saddr }`] : []),
    `meta l4proto ${port.protocol} dnat to ${endpointName(endpoint)}`,
  ])
}

/** What kube-proxy 1.36 writes; the `maps` layout uses it for service ports with session affinity. */
export const DIALECT_1_36: Dialect = {
  mark: setMark,
  markComment: ' comment "masquerade"',
  chainPerEndpoint: false,
  hairpinInEndpointChain: false,
  marksClusterIPInChain: false,
  plainSingleEndpoint: false,
  interfaceKeyword: 'iifname',
  firewall: (sources, ip) => [`${ip} saddr != { ${sources.join(' , ')} } drop`],
}
