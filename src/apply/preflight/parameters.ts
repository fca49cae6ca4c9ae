import type { NodeContext } from '../../model/types.ts'
import type { Finding } from './finding.ts'
import type { HostFacts } from './host-facts.ts'

export type ParameterNode = Pick<NodeContext, 'family' | 'localDetector'>

/** kube-proxy sets these itself at its start, to these values unless configured (KubeProxyConntrackConfiguration); kubenft changes no parameter. */
const CONNTRACK_MINIMUMS = [
  {
    name: 'nf_conntrack_max',
    minimum: 131_072,
    why: 'Every connection through a service is tracked; when the table is full, new ones are dropped.',
  },
  {
    name: 'nf_conntrack_tcp_timeout_established',
    minimum: 86_400,
    why: 'A connection that is silent for longer loses its endpoint, and breaks at its next packet.',
  },
  {
    name: 'nf_conntrack_tcp_timeout_close_wait',
    minimum: 3_600,
    why: 'A connection that one side has closed, while the other goes on sending, is forgotten after this time.',
  },
] as const
/** How full the table of connections may be. */
const FULL = 0.9

/**
 * Kernel parameters without which service traffic goes wrong although the rules are right: warnings, since the rules themselves can be loaded. One
 * `ok` finding when all are well.
 */
export function checkParameters(facts: HostFacts, nodes: readonly ParameterNode[]): Finding[] {
  const findings = [
    ...nodes.flatMap(node => [...forwarding(facts, node), ...bridges(facts, node)]),
    ...(hasIPv4(nodes) ? ipv4Only(facts) : []),
    ...conntrack(facts),
  ]
  if (findings.length > 0) return findings
  return [
    {
      id: 'sysctls',
      severity: 'ok',
      what: 'kernel parameters are as service traffic needs them',
      why: 'The rules alone do not forward a packet.',
    },
  ]
}

function hasIPv4(nodes: readonly ParameterNode[]): boolean {
  return nodes.some(({ family }) => family === 'ipv4')
}

function warning(id: string, what: string, why: string, action: string): Finding {
  return { id, severity: 'warning', what, why, action }
}

function* forwarding(facts: HostFacts, { family }: ParameterNode): Generator<Finding> {
  const name = family === 'ipv4' ? 'net.ipv4.ip_forward' : 'net.ipv6.conf.all.forwarding'
  const value = read(facts, name)
  if (value !== undefined && value !== '0') return
  const why = 'Only the node itself would reach endpoints elsewhere: packets of pods and from outside are not forwarded.'
  const what = value === undefined ? `this kernel has no ${name}` : `${name} is 0`
  const action = value === undefined ? `Use a kernel with ${family}, or render only the other family (--family).` : `sysctl -w ${name}=1`
  yield warning(family === 'ipv4' ? 'sysctl-ip-forward' : 'sysctl-ipv6-forwarding', what, why, action)
}

function* bridges(facts: HostFacts, { family, localDetector }: ParameterNode): Generator<Finding> {
  const name = `net.bridge.bridge-nf-call-${family === 'ipv4' ? 'iptables' : 'ip6tables'}`
  const value = read(facts, name)
  // Without br_netfilter there may be no bridge at all.
  if (value === undefined ? localDetector.kind !== 'bridge' : value !== '0') return
  const why =
    'Pods on one bridge answer each other past the rules: the client of a service gets an answer from an address that it did not ask, and drops it.'
  const what =
    value === undefined
      ? `pods are on the bridge ${localDetector.kind === 'bridge' ? localDetector.interfaceName : ''}, and br_netfilter is not loaded`
      : `${name} is 0`
  yield warning(
    `sysctl-bridge-nf-${family}`,
    what,
    why,
    value === undefined ? `modprobe br_netfilter; sysctl -w ${name}=1` : `sysctl -w ${name}=1`,
  )
}

function* ipv4Only(facts: HostFacts): Generator<Finding> {
  const strict = strictInterfaces(facts)
  if (strict.length > 0) {
    const why =
      'A packet that comes in where its answer would not go out is dropped without a trace: node ports and load-balancer addresses on nodes with several links or policy routes.'
    const action = 'Where that is the case, sysctl -w net.ipv4.conf.all.rp_filter=2 (loose).'
    yield warning('sysctl-rp-filter', `reverse path filtering is strict on ${strict.join(', ')}`, why, action)
  }
  if (read(facts, 'net.ipv4.conf.all.route_localnet') === '1') {
    const why =
      'Node ports on localhost, the reason why kube-proxy’s iptables mode sets it, do not exist in nftables mode; what is left is that neighbours on the link can send packets to 127.0.0.0/8 (CVE-2020-8558), and the iptables rule against that goes with kube-proxy.'
    yield warning(
      'sysctl-route-localnet',
      'net.ipv4.conf.all.route_localnet is 1',
      why,
      'Unless something else needs it: sysctl -w net.ipv4.conf.all.route_localnet=0',
    )
  }
}

/** Interfaces on which the filter is strict: the larger value of `all` and the interface counts (kernel documentation, ip-sysctl). */
function strictInterfaces(facts: HostFacts): string[] {
  const all = Number(read(facts, 'net.ipv4.conf.all.rp_filter') ?? 0)
  const strict: string[] = []
  for (const [path, value] of facts) {
    const name = /^\/proc\/sys\/net\/ipv4\/conf\/([^/]+)\/rp_filter$/.exec(path)?.[1]
    if (name === undefined || ['all', 'default', 'lo'].includes(name)) continue
    if (Math.max(all, Number(value)) === 1) strict.push(name)
  }
  return strict.length > 4 ? [...strict.slice(0, 3), `${strict.length - 3} more interfaces`] : strict
}

function* conntrack(facts: HostFacts): Generator<Finding> {
  for (const { name, minimum, why } of CONNTRACK_MINIMUMS) {
    const value = read(facts, `net.netfilter.${name}`)
    if (value === undefined || Number(value) >= minimum) continue
    const id = `sysctl-${name.replaceAll('_', '-')}`
    yield warning(
      id,
      `net.netfilter.${name} is ${value}, kube-proxy sets at least ${minimum}`,
      why,
      `sysctl -w net.netfilter.${name}=${minimum}`,
    )
  }
  const [count, max] = ['nf_conntrack_count', 'nf_conntrack_max'].map(name => Number(read(facts, `net.netfilter.${name}`) ?? 0)) as [
    number,
    number,
  ]
  if (max > 0 && count >= max * FULL) {
    const why = 'When it is full, the packets of new connections are dropped.'
    yield warning(
      'conntrack-full',
      `the table of connections is nearly full: ${count} of ${max}`,
      why,
      `sysctl -w net.netfilter.nf_conntrack_max=${max * 2}`,
    )
  }
}

function read(facts: HostFacts, name: string): string | undefined {
  return facts.get(`/proc/sys/${name.replaceAll('.', '/')}`)
}
