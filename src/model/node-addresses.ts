import { type Family, parseAddress } from '../address.ts'
import { isInterfaceName } from '../names.ts'
import type { HostFacts, KubeProxyConfiguration, Node } from '../snapshot/types.ts'
import { unusable } from './cidrs.ts'
import type { NodeContext } from './types.ts'

/** What kube-proxy takes for the node's IP in a family without one. */
export const LOOPBACK: Readonly<Record<Family, string>> = { ipv4: '127.0.0.1', ipv6: '::1' }
const FAMILIES: readonly Family[] = ['ipv4', 'ipv6']

/** The family of a canonical address. */
export function familyOf(address: string): Family {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/** InternalIP before ExternalIP, otherwise in the Node's order (kube-proxy's GetNodeHostIPs). */
export function addressesOf(node: Node | undefined): string[] {
  const all = node?.status?.addresses ?? []
  const texts = ['InternalIP', 'ExternalIP'].flatMap(type => all.filter(address => address.type === type).map(({ address }) => address))
  return [...new Set(texts.flatMap(text => parseAddress(text)?.text ?? []))]
}

/** The node's IP in each family: the first of the Node, unless bindAddress gives one (kube-proxy's detectNodeIPs). */
export function primaryAddresses(addresses: readonly string[], { bindAddress }: KubeProxyConfiguration): Partial<Record<Family, string>> {
  const bound = parseAddress(bindAddress || '0.0.0.0')
  if (bound === undefined)
    throw unusable('bindAddress', `"${bindAddress}" is not an IP address`, 'Leave it out to use the addresses of the Node.')
  const isUnspecified = bound.text === '0.0.0.0' || bound.text === '::'
  const first = isUnspecified ? addresses : [bound.text, ...addresses]
  const primary: Partial<Record<Family, string>> = {}
  for (const address of first) primary[familyOf(address)] ??= address
  return primary
}

/** What the host has when nobody says: the Node's addresses, and loopback as every host. */
export function assumedAddresses(addresses: readonly string[]): NodeContext['hostAddresses'] {
  return [
    ...FAMILIES.map(family => ({ interfaceName: 'lo', address: LOOPBACK[family] })),
    ...addresses.map(address => ({ interfaceName: '', address })),
  ]
}

/** `ip` prints eth0@if5 for one end of a veth pair; the interface is eth0. */
export function interfaceAddresses({ interfaces }: HostFacts): NodeContext['hostAddresses'] {
  return interfaces.flatMap(({ name, addresses }) => {
    const [interfaceName = ''] = name.split('@')
    return addresses.flatMap(text => {
      const address = parseAddress(text.split('/')[0] ?? '')?.text
      return address === undefined ? [] : [{ interfaceName: isInterfaceName(interfaceName) ? interfaceName : '', address }]
    })
  })
}
