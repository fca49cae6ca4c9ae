import { cidrContains, isLoopback } from '../address.ts'
import type { NodeContext } from '../model/types.ts'
import { INTERFACE } from './contents.ts'

/** What IPVS mode derives from the node, once for all services. */
export interface IpvsNode {
  readonly node: NodeContext
  /** Addresses on other interfaces than kube-ipvs0: those are never put there. */
  readonly ownAddresses: ReadonlySet<string>
  /** The addresses that get a virtual server for every node port. */
  readonly nodePortIPs: readonly string[]
}

/**
 * As in kube-proxy 1.36, loopback addresses accept no node ports, and link-local IPv6 ones only when nodePortAddresses names them. The settings
 * of section `iptables` (and nodePortAddresses) are those of IPVS mode too: kube-proxy has no others for it.
 */
export function ipvsNode(node: NodeContext): IpvsNode {
  const ownAddresses = new Set<string>()
  for (const { interfaceName, address } of node.hostAddresses)
    if (interfaceName !== INTERFACE && !isLoopback(address) && !cidrContains('fe80::/10', address)) ownAddresses.add(address)
  const { nodePortAddresses } = node.iptables
  const accepting = nodePortAddresses.all ? [...ownAddresses] : nodePortAddresses.addresses.filter(address => !isLoopback(address))
  return { node, ownAddresses, nodePortIPs: accepting }
}
