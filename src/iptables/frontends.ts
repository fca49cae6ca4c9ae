import { servicePortName } from '../model/claims.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import type { Sink } from './layout.ts'
import type { ChainNames } from './service-port.ts'
import { comment, LOCALHOST_COUNTER } from './words.ts'

/**
 * A service port's rules in the hubs: they catch its cluster IP, external addresses and node port, and refuse what has nowhere to go, with
 * REJECT (no endpoint anywhere) or DROP (policy Local without a local endpoint).
 */
export function emitFrontends(view: ServicePortView, node: NodeContext, names: ChainNames, sink: Sink): void {
  const { port, endpoints } = view
  const { protocol } = port
  const name = servicePortName(port)
  const note = comment(name)
  const refusal = comment(endpoints.any ? `${name} has no local endpoints` : `${name} has no endpoints`)
  const refuse = endpoints.any ? 'DROP' : 'REJECT'
  const ofPort = `-m ${protocol} -p ${protocol}`
  const to = (address: string): string => `${ofPort} -d ${address} --dport ${port.port}`
  const hasInternal = (port.internalPolicyLocal ? endpoints.local : endpoints.cluster).length > 0
  const hasExternal = (port.externalPolicyLocal ? endpoints.local : endpoints.cluster).length > 0

  if (port.clusterIP !== '') {
    const internal = port.internalPolicyLocal ? names.local : names.cluster
    if (hasInternal) sink.hubRule('nat', 'KUBE-SERVICES', `${comment(`${name} cluster IP`)} ${to(port.clusterIP)} -j ${internal}`)
    else sink.hubRule('filter', 'KUBE-SERVICES', `${refusal} ${to(port.clusterIP)} -j ${refuse}`)
  }

  const restricted = endpoints.any && port.sourceRanges.length > 0
  const external = (address: string, kind: string, chain: string): void => {
    if (endpoints.any) sink.hubRule('nat', 'KUBE-SERVICES', `${comment(`${name} ${kind}`)} ${to(address)} -j ${chain}`)
    if (!hasExternal) sink.hubRule('filter', 'KUBE-EXTERNAL-SERVICES', `${refusal} ${to(address)} -j ${refuse}`)
  }
  for (const address of port.externalIPs) external(address, 'external IP', names.external)
  for (const address of port.loadBalancerVIPs) {
    external(address, 'loadbalancer IP', restricted ? names.firewall : names.external)
    if (restricted)
      sink.hubRule(
        'filter',
        'KUBE-PROXY-FIREWALL',
        `${comment(`${name} traffic not accepted by ${names.firewall}`)} ${to(address)} -j DROP`,
      )
  }

  if (port.nodePort !== 0) {
    const { localhostNodePorts, nfacct } = node.iptables
    const toPort = `--dport ${port.nodePort}`
    if (endpoints.any) {
      if (node.family === 'ipv4' && localhostNodePorts && nfacct.has(LOCALHOST_COUNTER)) {
        const counted = `-d 127.0.0.0/8 ${toPort} -m nfacct --nfacct-name ${LOCALHOST_COUNTER}`
        sink.hubRule('nat', 'KUBE-NODEPORTS', `${note} ${ofPort} ${counted} -j ${names.external}`)
      }
      sink.hubRule('nat', 'KUBE-NODEPORTS', `${note} ${ofPort} ${toPort} -j ${names.external}`)
    }
    if (!hasExternal)
      sink.hubRule('filter', 'KUBE-EXTERNAL-SERVICES', `${refusal} -m addrtype --dst-type LOCAL ${ofPort} ${toPort} -j ${refuse}`)
  }

  if (port.healthCheckNodePort !== 0)
    sink.hubRule(
      'filter',
      'KUBE-NODEPORTS',
      `${comment(`${name} health check node port`)} -m tcp -p tcp --dport ${port.healthCheckNodePort} -j ACCEPT`,
    )
}
