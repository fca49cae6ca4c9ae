/**
 * A table of ours beside the rules under test: keeps client and client port of every connection that the node answers with "port unreachable", which
 * is what kube-proxy's reject sends. Read from the inner packet: client port at 8 bytes of ICMP, 20 or 40 of IP.
 * A reset makes connection tracking forget the connection, so resets of the node's own closed ports end before tracking sees them.
 */
export const OBSERVER = `table inet observer {
  set rejected4 { typeof ip daddr . @th,224,16; flags dynamic; size 65535; }
  set rejected6 { typeof ip6 daddr . @th,384,16; flags dynamic; size 65535; }
  chain before-tracking { type filter hook output priority -300; tcp flags & rst != 0 drop; }
  chain output {
    type filter hook output priority 300
    icmp type destination-unreachable icmp code port-unreachable update @rejected4 { ip daddr . @th,224,16 }
    icmpv6 type destination-unreachable icmpv6 code port-unreachable update @rejected6 { ip6 daddr . @th,384,16 }
  }
}
`

export const LIST_OBSERVER = ['nft', '-j', 'list', 'table', 'inet', 'observer'] as const

interface Listing {
  readonly nftables: readonly { readonly set?: { readonly elem?: readonly { readonly concat: readonly [string, number] }[] } }[]
}

/** `address port` of every rejected client. */
export function parseObserver(listing: string): Set<string> {
  const { nftables } = JSON.parse(listing) as Listing
  return new Set(nftables.flatMap(({ set }) => (set?.elem ?? []).map(({ concat: [address, port] }) => `${address} ${port}`)))
}
