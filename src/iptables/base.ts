import { isLoopback } from '../address.ts'
import type { NodeContext } from '../model/types.ts'
import type { Sink } from './layout.ts'
import { comment, INVALID_COUNTER } from './words.ts'

const NEW = '-m conntrack --ctstate NEW'
const FIREWALL = `${NEW} ${comment('kubernetes load balancer firewall')} -j KUBE-PROXY-FIREWALL`
const EXTERNAL = `${NEW} ${comment('kubernetes externally-visible service portals')} -j KUBE-EXTERNAL-SERVICES`
const REFUSED = `${NEW} ${comment('kubernetes service portals')} -j KUBE-SERVICES`
const SERVICES = `${comment('kubernetes service portals')} -j KUBE-SERVICES`

/** The part of the rules that no service changes: kube-proxy's jumps from the built-in chains, its hubs and fixed chains. */
export function emitBase(node: NodeContext, sink: Sink): void {
  const { masqueradeMark: mark, localhostNodePorts, nfacct } = node.iptables

  sink.builtin('filter', 'INPUT', [
    '-j KUBE-FIREWALL',
    FIREWALL,
    `${comment('kubernetes health check service ports')} -j KUBE-NODEPORTS`,
    EXTERNAL,
  ])
  sink.builtin('filter', 'FORWARD', [FIREWALL, `${comment('kubernetes forwarding rules')} -j KUBE-FORWARD`, REFUSED, EXTERNAL])
  sink.builtin('filter', 'OUTPUT', ['-j KUBE-FIREWALL', FIREWALL, REFUSED])
  for (const hub of ['KUBE-EXTERNAL-SERVICES', 'KUBE-NODEPORTS', 'KUBE-SERVICES', 'KUBE-PROXY-FIREWALL']) sink.hub('filter', hub, [])
  sink.chain('filter', 'KUBE-FORWARD', [
    `-m conntrack --ctstate INVALID ${nfacct.has(INVALID_COUNTER) ? `-m nfacct --nfacct-name ${INVALID_COUNTER} ` : ''}-j DROP`,
    `${comment('kubernetes forwarding rules')} -m mark --mark ${mark}/${mark} -j ACCEPT`,
    `${comment('kubernetes forwarding conntrack rule')} -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT`,
  ])
  // Node ports on localhost need the sysctl route_localnet, which would let neighbours reach the node's loopback addresses.
  const blockLocalnet = `${comment('block incoming localnet connections')} -d 127.0.0.0/8 ! -s 127.0.0.0/8 -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP`
  sink.chain('filter', 'KUBE-FIREWALL', node.family === 'ipv4' && localhostNodePorts ? [blockLocalnet] : [])

  sink.builtin('nat', 'PREROUTING', [SERVICES])
  sink.builtin('nat', 'INPUT', [])
  sink.builtin('nat', 'OUTPUT', [SERVICES])
  sink.builtin('nat', 'POSTROUTING', [`${comment('kubernetes postrouting rules')} -j KUBE-POSTROUTING`])
  sink.hub('nat', 'KUBE-SERVICES', nodePortDispatch(node))
  sink.hub('nat', 'KUBE-NODEPORTS', [])
  sink.chain('nat', 'KUBE-POSTROUTING', [
    `-m mark ! --mark ${mark}/${mark} -j RETURN`,
    `-j MARK --xor-mark ${mark}`,
    `${comment('kubernetes service traffic requiring SNAT')} -j MASQUERADE`,
  ])
  sink.chain('nat', 'KUBE-MARK-MASQ', [`-j MARK --or-mark ${mark}`])
}

/** The rules that send what is for the node itself to its node ports. Loopback addresses work only in IPv4, and only when they are asked for. */
function nodePortDispatch({ family, iptables: { nodePortAddresses, localhostNodePorts } }: NodeContext): string[] {
  const onLoopback = family === 'ipv4' && localhostNodePorts
  const note = comment('kubernetes service nodeports; NOTE: this must be the last rule in this chain')
  if (nodePortAddresses.all) {
    const notLoopback = onLoopback ? '' : ` ! -d ${family === 'ipv4' ? '127.0.0.0/8' : '::1/128'}`
    return [`${note} -m addrtype --dst-type LOCAL${notLoopback} -j KUBE-NODEPORTS`]
  }
  return nodePortAddresses.addresses
    .filter(address => onLoopback || !isLoopback(address))
    .map(address => `${note} -d ${address} -j KUBE-NODEPORTS`)
}
