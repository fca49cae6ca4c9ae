import type { Family } from '../../address.ts'
import type { Fragment } from '../../nft/fragment.ts'

/** What the probe scripts call the address family. */
export interface ProbeWords {
  readonly ip: 'ip' | 'ip6'
  readonly version: '4' | '6'
  readonly address: string
  readonly ranges: string
}

export const PROBE_WORDS: Readonly<Record<Family, ProbeWords>> = {
  ipv4: { ip: 'ip', version: '4', address: '192.0.2.1', ranges: '192.0.2.0/24, 198.51.100.0/24' },
  ipv6: { ip: 'ip6', version: '6', address: '2001:db8::1', ranges: '2001:db8:1::/64, 2001:db8:2::/64' },
}

/** One thing that rulesets may need of the kernel, and the smallest script that shows whether it is there. */
export interface Probe {
  readonly id: string
  /** What the kernel's configuration and modules call it. */
  readonly option: (words: ProbeWords) => string
  readonly module: (words: ProbeWords) => string
  /** What for, in the rules of services. */
  readonly purpose: string
  readonly neededBy: 'all' | { readonly rule: RegExp } | { readonly declaration: (fragment: Fragment) => boolean }
  /** Commands after `add table`; `T` stands for family and table, `C` for a chain of the probe's own. */
  readonly script: (words: ProbeWords) => readonly string[]
  /** Probes whose failure makes this one fail too. */
  readonly needs?: readonly string[]
}

const NF_TABLES = { option: () => 'CONFIG_NF_TABLES', module: () => 'nf_tables' } as const
const plain = (rule: string): readonly string[] => ['add chain T C', `add rule T C ${rule}`]
const based = (type: string, rule: string): readonly string[] => [`add chain T C { type ${type} ; }`, `add rule T C ${rule}`]
const PREROUTING = 'nat hook prerouting priority -100'

/** In the order in which they build on each other. Names of options and modules are those of Linux 5.13 and later. */
export const PROBES: readonly Probe[] = [
  {
    id: 'nf-tables',
    option: ({ version }) => `CONFIG_NF_TABLES_IPV${version}`,
    module: () => 'nf_tables',
    purpose: 'tables and base chains',
    neededBy: 'all',
    script: () => ['add chain T C { type filter hook input priority 0 ; }'],
  },
  {
    id: 'nat-chain',
    option: () => 'CONFIG_NFT_NAT',
    module: () => 'nft_chain_nat',
    purpose: 'chains that translate addresses',
    neededBy: { declaration: ({ chains }) => some(chains.values(), ({ hook }) => hook?.type === 'nat') },
    script: () => [`add chain T C { type ${PREROUTING} ; }`],
  },
  {
    id: 'dnat',
    option: () => 'CONFIG_NFT_NAT',
    module: () => 'nft_nat',
    purpose: 'sending a connection to an endpoint',
    neededBy: { rule: /\bdnat\b/ },
    script: ({ ip, address }) => based(PREROUTING, `meta l4proto tcp dnat to ${ip === 'ip' ? address : `[${address}]`}:80`),
    needs: ['nat-chain'],
  },
  {
    id: 'masquerade',
    option: () => 'CONFIG_NFT_MASQ',
    module: () => 'nft_masq',
    purpose: 'answers that have to come back through the node',
    neededBy: { rule: /\bmasquerade\b/ },
    script: () => based('nat hook postrouting priority 100', 'masquerade fully-random'),
    needs: ['nat-chain'],
  },
  {
    id: 'reject',
    option: ({ version }) => `CONFIG_NFT_REJECT_IPV${version}`,
    module: ({ version }) => `nft_reject_ipv${version}`,
    purpose: 'refusing connections to services without endpoints',
    neededBy: { rule: /\breject\b/ },
    script: () => based('filter hook input priority 0', 'reject'),
  },
  {
    id: 'ct',
    option: () => 'CONFIG_NFT_CT',
    module: () => 'nft_ct',
    purpose: 'looking only at the first packet of a connection',
    neededBy: { rule: /\bct (?:state|status)\b/ },
    script: () => plain('ct state new ct status dnat accept'),
  },
  {
    id: 'numgen',
    option: () => 'CONFIG_NFT_NUMGEN',
    module: () => 'nft_numgen',
    purpose: 'choosing one of several endpoints',
    neededBy: { rule: /\bnumgen\b/ },
    script: () => plain('numgen random mod 2 vmap { 0 : accept, 1 : drop }'),
  },
  {
    id: 'fib',
    option: ({ version }) => `CONFIG_NFT_FIB_IPV${version}`,
    module: ({ version }) => `nft_fib_ipv${version}`,
    purpose: 'recognising the node’s own addresses',
    neededBy: { rule: /\bfib\b/ },
    script: () => based('filter hook input priority 0', 'fib daddr type local accept'),
  },
  {
    ...NF_TABLES,
    id: 'verdict-map',
    purpose: 'finding a service by address, protocol and port',
    neededBy: { rule: /\bvmap\s+@/ },
    script: ({ ip, version }) => [
      `add map T C-map { type ipv${version}_addr . inet_proto . inet_service : verdict ; }`,
      ...plain(`${ip} daddr . meta l4proto . th dport vmap @C-map`),
    ],
  },
  {
    ...NF_TABLES,
    id: 'dnat-map',
    purpose: 'finding an endpoint by address, port and slot',
    neededBy: { declaration: ({ maps }) => some(maps.values(), map => map.typeof === true) },
    script: ({ ip }) => [
      `add map T C-map { typeof ${ip} daddr . tcp dport . numgen random mod 65536 : ${ip} daddr . tcp dport ; }`,
      ...based(PREROUTING, `dnat ${ip} addr . port to ${ip} daddr . tcp dport . numgen random mod 2 map @C-map`),
    ],
    needs: ['nat-chain', 'dnat', 'numgen'],
  },
  {
    ...NF_TABLES,
    id: 'dynamic-set',
    purpose: 'session affinity, which remembers clients for a time',
    neededBy: { declaration: ({ sets }) => some(sets.values(), ({ flags }) => flags?.includes('dynamic') === true) },
    script: ({ ip, version }) => [
      `add set T C-set { type ipv${version}_addr ; flags dynamic,timeout ; timeout 10s ; }`,
      ...plain(`update @C-set { ${ip} saddr }`),
    ],
  },
  {
    ...NF_TABLES,
    id: 'interval-set',
    purpose: 'source ranges and service CIDRs',
    neededBy: { rule: /\{[^}]*\/\d/ },
    script: ({ ip, ranges }) => plain(`${ip} daddr { ${ranges} } drop`),
  },
]

/** The probes that a ruleset calls for; all of them without one. */
export function probesFor(fragment: Fragment | undefined): readonly Probe[] {
  if (fragment === undefined) return PROBES
  const open = new Map<Probe, RegExp>()
  const needed = new Set<Probe>()
  for (const probe of PROBES) {
    const { neededBy } = probe
    if (neededBy === 'all' || ('declaration' in neededBy && neededBy.declaration(fragment))) needed.add(probe)
    else if ('rule' in neededBy) open.set(probe, neededBy.rule)
  }
  for (const rules of rulesOf(fragment)) {
    for (const rule of rules) {
      for (const [probe, pattern] of open) {
        if (!pattern.test(rule)) continue
        needed.add(probe)
        open.delete(probe)
      }
    }
    if (open.size === 0) break
  }
  return PROBES.filter(probe => needed.has(probe))
}

function* rulesOf({ chains, sharedChains }: Fragment): Generator<readonly string[]> {
  for (const { rules } of chains.values()) yield rules
  for (const { rules } of sharedChains.values()) yield rules()
}

function some<T>(values: Iterable<T>, test: (value: T) => boolean): boolean {
  for (const value of values) if (test(value)) return true
  return false
}
