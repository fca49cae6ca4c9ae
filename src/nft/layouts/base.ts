import { isLoopback } from '../../address.ts'
import type { NodeContext } from '../../model/types.ts'
import type { Hook, Sink } from './layout.ts'
import { localMatch, setMark, wordsOf } from './words.ts'

const hook = (type: Hook['type'], name: Hook['hook'], priority: number): { hook: Hook } => ({ hook: { type, hook: name, priority } })

/** What differs between the bases of the layouts. */
export interface BaseOptions {
  /** 1.33 to 1.35 marked in a chain of its own and matched hairpin traffic in every endpoint chain; 1.36 has a set of hairpin connections. */
  readonly marking: 'chain' | 'inline'
}

/**
 * The part of the ruleset that no service changes: hooks, dispatch, checks and masquerading, as kube-proxy's setupNFTables makes it.
 * Filter priority -110 puts the firewall before the DNAT at -100, so that it sees the load-balancer address.
 */
export function emitBase(node: NodeContext, { marking }: BaseOptions, sink: Sink): void {
  const words = wordsOf(node.family)
  const { ip, addressType, loopback } = words
  const { masqueradeMark, nodePortAddresses } = node.nftables
  const service = `${ip} daddr . meta l4proto . th dport`
  const onNode = nodePortAddresses.all ? `${ip} daddr != ${loopback}` : `${ip} daddr @nodeport-ips`

  const jumpNew = (chain: string): string => `ct state new jump ${chain}`
  sink.chain('filter-prerouting-pre-dnat', [jumpNew('firewall-check')], hook('filter', 'prerouting', -110))
  sink.chain('filter-output-pre-dnat', [jumpNew('firewall-check')], hook('filter', 'output', -110))
  sink.chain('filter-input', [jumpNew('nodeport-endpoints-check'), jumpNew('service-endpoints-check')], hook('filter', 'input', 0))
  sink.chain('filter-forward', [jumpNew('service-endpoints-check'), jumpNew('cluster-ips-check')], hook('filter', 'forward', 0))
  sink.chain('filter-output', [jumpNew('service-endpoints-check'), jumpNew('cluster-ips-check')], hook('filter', 'output', 0))
  sink.chain('nat-prerouting', ['jump services'], hook('nat', 'prerouting', -100))
  sink.chain('nat-output', ['jump services'], hook('nat', 'output', -100))
  sink.chain('nat-postrouting', ['jump masquerading'], hook('nat', 'postrouting', 100))

  const masqueradeCluster = marking === 'inline' ? clusterIPMasquerade(node) : undefined
  sink.chain('services', [
    ...(masqueradeCluster === undefined ? [] : [masqueradeCluster]),
    `${service} vmap @service-ips`,
    `${nodePortAddresses.all ? 'fib daddr type local ' : ''}${onNode} meta l4proto . th dport vmap @service-nodeports`,
  ])
  sink.chain('service-endpoints-check', [`${service} vmap @no-endpoint-services`])
  sink.chain('nodeport-endpoints-check', [`${onNode} meta l4proto . th dport vmap @no-endpoint-nodeports`])
  sink.chain('firewall-check', [`${service} vmap @firewall-ips`])
  sink.chain('cluster-ips-check', [
    `${ip} daddr @cluster-ips reject comment "Reject traffic to invalid ports of ClusterIPs"`,
    ...(node.serviceCIDRs.length > 0
      ? [`${ip} daddr { ${node.serviceCIDRs.join(',')} } drop comment "Drop traffic to unallocated ClusterIPs"`]
      : []),
  ])
  sink.chain('reject-chain', ['reject'], { comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports' })

  if (marking === 'inline') {
    sink.set('hairpin-connections', {
      type: `${addressType} . ${addressType} . inet_proto . inet_service`,
      comment: 'service hairpin connections',
    })
    sink.chain('masquerading', [
      `mark and ${masqueradeMark} != 0 mark set mark xor ${masqueradeMark} masquerade fully-random`,
      `ct status dnat ${ip} saddr . ${service} @hairpin-connections masquerade fully-random`,
    ])
  } else {
    sink.chain('mark-for-masquerade', [setMark(node)])
    sink.chain('masquerading', [`mark and ${masqueradeMark} == 0 return`, `mark set mark xor ${masqueradeMark}`, 'masquerade fully-random'])
  }

  sink.set('cluster-ips', { type: addressType, comment: 'Active ClusterIPs' })
  if (!nodePortAddresses.all) {
    sink.set('nodeport-ips', { type: addressType, comment: 'IPs that accept NodePort traffic' })
    for (const address of nodePortAddresses.addresses) if (!isLoopback(address)) sink.element('nodeport-ips', address)
  }
  const verdictByAddress = { type: `${addressType} . inet_proto . inet_service`, value: 'verdict' }
  const verdictByPort = { type: 'inet_proto . inet_service', value: 'verdict' }
  sink.map('service-ips', { ...verdictByAddress, comment: 'ClusterIP, ExternalIP and LoadBalancer IP traffic' })
  sink.map('service-nodeports', { ...verdictByPort, comment: 'NodePort traffic' })
  sink.map('no-endpoint-services', { ...verdictByAddress, comment: 'vmap to drop or reject packets to services with no endpoints' })
  sink.map('no-endpoint-nodeports', { ...verdictByPort, comment: 'vmap to drop or reject packets to service nodeports with no endpoints' })
  sink.map('firewall-ips', { ...verdictByAddress, comment: 'destinations that are subject to LoadBalancerSourceRanges' })
}

function clusterIPMasquerade(node: NodeContext): string | undefined {
  const words = wordsOf(node.family)
  const toCluster = `${words.ip} daddr @cluster-ips`
  if (node.nftables.masqueradeAll) return `${toCluster} ${setMark(node)} comment "masquerade all clusterIP traffic"`
  const notLocal = localMatch(node.localDetector, words, { negated: true })
  return notLocal === undefined
    ? undefined
    : `${toCluster} ${notLocal} ${setMark(node)} comment "masquerade clusterIP traffic from outside cluster"`
}
