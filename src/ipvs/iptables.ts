import type { Chain, Ruleset } from '../iptables/ruleset.ts'
import type { LocalDetector, NodeContext } from '../model/types.ts'
import { SETS, type SetName, setName } from './sets.ts'

/** The only chain with rules of single services: they keep the node itself from load-balancer addresses with source ranges. */
export const OUT_FILTER = 'KUBE-IPVS-OUT-FILTER'

/** What the rules depend on besides the node. */
export interface IptablesInput {
  /** Most rules are there only when their set has entries. */
  readonly isEmpty: (set: SetName) => boolean
  /** Rules of {@link OUT_FILTER}, in order. */
  readonly outFilter: readonly string[]
}

/** kube-proxy 1.36's rules around IPVS. Apart from {@link OUT_FILTER} they are the same for any number of services. */
export function iptablesRules(node: NodeContext, { isEmpty, outFilter }: IptablesInput): Ruleset {
  const { family, iptables, localDetector } = node
  const mark = iptables.masqueradeMark
  const match = (set: SetName, directions: string): string => `-m set --match-set ${setName(set, family)} ${directions}`
  const commented = (set: SetName, directions: string): string => `${comment(SETS[set].comment)} ${match(set, directions)}`
  /** The rules of the sets that have entries. */
  const filled = (...rules: readonly (readonly [SetName, string])[]): string[] =>
    rules.filter(([set]) => !isEmpty(set)).map(([, rule]) => rule)
  const nodePort = (protocol: string, set: SetName, directions: string, target: string): readonly [SetName, string] => [
    set,
    `-p ${protocol} ${commented(set, directions)} -j ${target}`,
  ]
  const external = (set: SetName): readonly (readonly [SetName, string])[] => [
    [set, `${commented(set, 'dst,dst')} -m physdev ! --physdev-is-in -m addrtype ! --src-type LOCAL -j ACCEPT`],
    [set, `${commented(set, 'dst,dst')} -m addrtype --dst-type LOCAL -j ACCEPT`],
  ]
  const clusterIPs = clusterIPMatch(iptables.masqueradeAll, localDetector)

  const filter = new Map<string, Chain>([
    [
      'INPUT',
      chain(
        `${comment('kubernetes ipvs access filter')} -j KUBE-IPVS-FILTER`,
        `${comment('kube-proxy firewall rules')} -j KUBE-PROXY-FIREWALL`,
        `${comment('kubernetes health check rules')} -j KUBE-NODE-PORT`,
      ),
    ],
    [
      'FORWARD',
      chain(`${comment('kube-proxy firewall rules')} -j KUBE-PROXY-FIREWALL`, `${comment('kubernetes forwarding rules')} -j KUBE-FORWARD`),
    ],
    ['OUTPUT', chain(`${comment('kubernetes ipvs access filter')} -j ${OUT_FILTER}`)],
    [
      'KUBE-FORWARD',
      chain(
        `${comment('kubernetes forwarding rules')} -m mark --mark ${mark}/${mark} -j ACCEPT`,
        `${comment('kubernetes forwarding conntrack rule')} -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT`,
      ),
    ],
    ['KUBE-NODE-PORT', chain(`${commented('KUBE-HEALTH-CHECK-NODE-PORT', 'dst')} -j ACCEPT`)],
    [
      'KUBE-PROXY-FIREWALL',
      chain(...filled(['KUBE-LOAD-BALANCER-FW', `${commented('KUBE-LOAD-BALANCER-FW', 'dst,dst')} -j KUBE-SOURCE-RANGES-FIREWALL`])),
    ],
    [
      'KUBE-SOURCE-RANGES-FIREWALL',
      chain(
        ...filled(
          ['KUBE-LOAD-BALANCER-SOURCE-CIDR', `${commented('KUBE-LOAD-BALANCER-SOURCE-CIDR', 'dst,dst,src')} -j RETURN`],
          ['KUBE-LOAD-BALANCER-SOURCE-IP', `${commented('KUBE-LOAD-BALANCER-SOURCE-IP', 'dst,dst,src')} -j RETURN`],
        ),
        '-j DROP',
      ),
    ],
    [
      'KUBE-IPVS-FILTER',
      chain(
        `${match('KUBE-LOAD-BALANCER', 'dst,dst')} -j RETURN`,
        `${match('KUBE-CLUSTER-IP', 'dst,dst')} -j RETURN`,
        `${match('KUBE-EXTERNAL-IP', 'dst,dst')} -j RETURN`,
        `${match('KUBE-EXTERNAL-IP-LOCAL', 'dst,dst')} -j RETURN`,
        `${match('KUBE-HEALTH-CHECK-NODE-PORT', 'dst')} -j RETURN`,
        `-m conntrack --ctstate NEW ${match('KUBE-IPVS-IPS', 'dst')} -j REJECT`,
      ),
    ],
    [OUT_FILTER, { policy: '-', rules: outFilter }],
  ])

  const nat = new Map<string, Chain>([
    ['PREROUTING', chain(`${comment('kubernetes service portals')} -j KUBE-SERVICES`)],
    ['INPUT', chain()],
    ['OUTPUT', chain(`${comment('kubernetes service portals')} -j KUBE-SERVICES`)],
    ['POSTROUTING', chain(`${comment('kubernetes postrouting rules')} -j KUBE-POSTROUTING`)],
    [
      'KUBE-SERVICES',
      chain(
        `-s ${family === 'ipv4' ? '127.0.0.0/8' : '::1/128'} -j RETURN`,
        ...filled(
          ['KUBE-LOAD-BALANCER', `${commented('KUBE-LOAD-BALANCER', 'dst,dst')} -j KUBE-LOAD-BALANCER`],
          ['KUBE-CLUSTER-IP', `${commented('KUBE-CLUSTER-IP', clusterIPs)} -j KUBE-MARK-MASQ`],
          ['KUBE-EXTERNAL-IP', `${commented('KUBE-EXTERNAL-IP', 'dst,dst')} -j KUBE-MARK-MASQ`],
          ...external('KUBE-EXTERNAL-IP'),
          ...external('KUBE-EXTERNAL-IP-LOCAL'),
        ),
        '-m addrtype --dst-type LOCAL -j KUBE-NODE-PORT',
        ...filled(
          ['KUBE-CLUSTER-IP', `${match('KUBE-CLUSTER-IP', 'dst,dst')} -j ACCEPT`],
          ['KUBE-LOAD-BALANCER', `${match('KUBE-LOAD-BALANCER', 'dst,dst')} -j ACCEPT`],
        ),
      ),
    ],
    [
      'KUBE-POSTROUTING',
      chain(
        ...filled(['KUBE-LOOP-BACK', `${commented('KUBE-LOOP-BACK', 'dst,dst,src')} -j MASQUERADE`]),
        `-m mark ! --mark ${mark}/${mark} -j RETURN`,
        `-j MARK --xor-mark ${mark}`,
        `${comment('kubernetes service traffic requiring SNAT')} -j MASQUERADE`,
      ),
    ],
    [
      'KUBE-NODE-PORT',
      chain(
        ...filled(
          nodePort('tcp', 'KUBE-NODE-PORT-LOCAL-TCP', 'dst', 'RETURN'),
          nodePort('tcp', 'KUBE-NODE-PORT-TCP', 'dst', 'KUBE-MARK-MASQ'),
          nodePort('udp', 'KUBE-NODE-PORT-LOCAL-UDP', 'dst', 'RETURN'),
          nodePort('udp', 'KUBE-NODE-PORT-UDP', 'dst', 'KUBE-MARK-MASQ'),
          nodePort('sctp', 'KUBE-NODE-PORT-LOCAL-SCTP-HASH', 'dst,dst', 'RETURN'),
          nodePort('sctp', 'KUBE-NODE-PORT-SCTP-HASH', 'dst,dst', 'KUBE-MARK-MASQ'),
        ),
      ),
    ],
    [
      'KUBE-LOAD-BALANCER',
      chain(...filled(['KUBE-LOAD-BALANCER-LOCAL', `${commented('KUBE-LOAD-BALANCER-LOCAL', 'dst,dst')} -j RETURN`]), '-j KUBE-MARK-MASQ'),
    ],
    ['KUBE-MARK-MASQ', chain(`-j MARK --or-mark ${mark}`)],
  ])
  return new Map([
    ['filter', filter],
    ['nat', nat],
  ])
}

function chain(...rules: readonly string[]): Chain {
  return { policy: '-', rules }
}

function comment(text: string): string {
  return `-m comment --comment "${text}"`
}

/**
 * Which traffic to cluster IPs is masqueraded. Without a local detector only that of the node itself: it has a cluster IP for source, because
 * those are on kube-ipvs0.
 */
function clusterIPMatch(masqueradeAll: boolean, detector: LocalDetector): string {
  if (masqueradeAll) return 'dst,dst'
  switch (detector.kind) {
    case 'none':
      return 'src,dst'
    case 'cidr':
      return `dst,dst ! -s ${detector.cidr}`
    case 'bridge':
      return `dst,dst ! -i ${detector.interfaceName}`
    case 'prefix':
      return `dst,dst ! -i ${detector.prefix}+`
  }
}
