/** Words that nft does not read as the name of an interface unless quoted: those of 1.0.6, as tried, and those that later versions added. */
export const NFT_KEYWORDS: ReadonlySet<string> = new Set(
  [
    'accept add ah all and auto-merge bridge cgroup chain comment comp constant continue count counter cpu create ct day dccp define',
    'delete describe destroy device devices drop dst dup dynamic element elements eq esp exists expires export exthdr fib flags flow',
    'flowtable flush frag fwd gc-interval ge geneve get goto gre gretap gt handle hbh hook hour ibriport ibrname icmp icmpv6 igmp iif',
    'iifgroup iifname iiftype import include index inet inner insert interval ipsec jhash jump last le limit list log lshift lt map',
    'mark masquerade meta meter mh missing monitor ne netdev nftrace not notrack numgen obriport obrname offload oif oifgroup oifname',
    'oiftype or osf pkttype policy position priority queue quota random redefine redirect reject rename replace reset return rshift rt',
    'rt0 rt2 rtclassid rule ruleset sctp secmark set size skgid skuid socket srh stateless symhash synproxy table tcp th time timeout',
    'tproxy tunnel type typeof udp udplite undefine update vmap vxlan xor xt',
  ]
    .join(' ')
    .split(' '),
)
