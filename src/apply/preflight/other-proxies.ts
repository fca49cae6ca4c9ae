import type { Family } from '../../address.ts'
import type { Finding } from './finding.ts'
import type { HostFacts } from './host-facts.ts'
import type { Run } from './run.ts'

export interface OtherProxiesInput {
  readonly run: Run
  readonly facts: HostFacts
  readonly families: readonly Family[]
  /** What nft lists, as `ip kube-proxy`. */
  readonly tables: readonly string[]
  /** The table that the rules go into. */
  readonly ownTable: string
  readonly alongside: boolean
}

/**
 * Chains of kube-proxy's iptables and IPVS modes through which service traffic goes. Others that start with KUBE- are kubelet's, which every node has
 * (KUBE-FIREWALL, KUBE-KUBELET-CANARY, KUBE-IPTABLES-HINT), or handle nothing by themselves.
 */
const TRAFFIC_CHAIN = /\bKUBE-(?:SERVICES|NODEPORTS|NODE-PORT|LOAD-BALANCER|EXTERNAL-SERVICES|SVC-|SVL-|EXT-|SEP-)/

const WHY =
  'It would handle the same service traffic: whichever translates a packet first wins, and the other one’s filter rules still apply.'
const NFT_FAMILY = { ipv4: 'ip', ipv6: 'ip6' } as const

/** Looks for rules of another service proxy. Errors, or warnings where both may be there (`alongside`); one `ok` finding when there are none. */
export async function checkOtherProxies(input: OtherProxiesInput): Promise<Finding[]> {
  const { run, facts, families, alongside } = input
  const findings: Finding[] = []
  const conflict = (id: string, what: string, action: string): void => {
    findings.push({ id, severity: alongside ? 'warning' : 'error', what, why: WHY, action: `${action}, or go on with --alongside.` })
  }
  const live = families.map(family => `${NFT_FAMILY[family]} kube-proxy`).filter(table => input.tables.includes(table))
  if (live.length > 0 && input.ownTable === 'kube-proxy') findings.push(sharedTable(live))
  else if (live.length > 0) conflict('kube-proxy-nftables', `there are nft tables of kube-proxy: ${live.join(', ')}`, CLEANUP)
  for (const family of families) {
    for (const { variant, found } of [await throughNft(input, family), await throughLegacy(run, facts, family)]) {
      if (found === 'unknown') findings.push(unreadable(family))
      else if (found !== undefined) {
        conflict(
          `kube-proxy-iptables-${family}`,
          `there are ${family} iptables rules of kube-proxy (${variant}), such as ${found}`,
          CLEANUP,
        )
      }
    }
  }
  if (/^ *kube-ipvs0:/m.test(facts.get('/proc/net/dev') ?? '')) {
    conflict('kube-proxy-ipvs', 'there is an interface kube-ipvs0 of kube-proxy’s IPVS mode', CLEANUP)
  }
  return findings.length > 0 ? findings : [{ id: 'other-proxies', severity: 'ok', what: 'no rules of another kube-proxy', why: WHY }]
}

const CLEANUP = 'Stop kube-proxy on this node and remove its rules (kube-proxy --cleanup)'

interface Chains {
  readonly variant: 'nf_tables' | 'legacy'
  /** A chain through which service traffic goes; `unknown` when there are rules that cannot be read. */
  readonly found: string | undefined
}

/** iptables-nft keeps its tables in nf_tables, under iptables' names: nft lists their chains without understanding their rules. */
async function throughNft({ run, tables }: OtherProxiesInput, family: Family): Promise<Chains> {
  const variant = 'nf_tables'
  if (!tables.includes(`${NFT_FAMILY[family]} nat`)) return { variant, found: undefined }
  const { code, stdout } = await run('nft', ['list', 'chains', NFT_FAMILY[family]])
  if (code !== 0) return { variant, found: 'unknown' }
  const nat = stdout.split(/^table /m).find(text => text.startsWith(`${NFT_FAMILY[family]} nat `))
  return { variant, found: trafficChain(nat ?? '') }
}

/** Asked only when the kernel has the table already: asking would make it. */
async function throughLegacy(run: Run, facts: HostFacts, family: Family): Promise<Chains> {
  const variant = 'legacy'
  const prefix = family === 'ipv4' ? 'ip' : 'ip6'
  if (facts.get(`/proc/net/${prefix}_tables_names`)?.split('\n').includes('nat') !== true) return { variant, found: undefined }
  for (const program of [`${prefix}tables-legacy-save`, `${prefix}tables-save`]) {
    const { code, stdout } = await run(program, ['-t', 'nat'])
    if (code === 0) return { variant, found: trafficChain(stdout) }
  }
  return { variant, found: 'unknown' }
}

function trafficChain(text: string): string | undefined {
  const start = TRAFFIC_CHAIN.exec(text)?.index
  return start === undefined ? undefined : /^[\w-]+/.exec(text.slice(start, start + 64))?.[0]
}

function sharedTable(live: readonly string[]): Finding {
  return {
    id: 'kube-proxy-table',
    severity: 'warning',
    what: `the rules go into kube-proxy’s own tables, which are there: ${live.join(', ')}`,
    why: 'A kube-proxy that still runs puts its own rules back at its next sync.',
    action: 'Make sure that kube-proxy does not run on this node, or use the layout maps, which has a table of its own.',
  }
}

function unreadable(family: Family): Finding {
  return {
    id: `kube-proxy-iptables-${family}`,
    severity: 'warning',
    what: `there are ${family} iptables rules, but no program here can list them`,
    why: WHY,
    action: `Look for chains KUBE-SERVICES with ${family === 'ipv4' ? 'iptables-save' : 'ip6tables-save'}.`,
  }
}
