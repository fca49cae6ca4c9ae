import { optionsOf } from '../../iptables/options.ts'
import { IPTABLES_OWNERSHIP } from '../../iptables/ownership.ts'
import { iptablesRuleset } from '../../iptables/render.ts'
import type { Ruleset } from '../../iptables/ruleset.ts'
import type { NodeContext, ServicePortView } from '../../model/types.ts'
import { type FamilyComparison, staleNotes } from '../difference.ts'
import { reachable } from '../lists.ts'
import { compareRules } from './compare-rules.ts'
import { IptablesOwners } from './owners.ts'

/** Compares an iptables dump with what kube-proxy has in iptables mode. Stale chains become a note. */
export function compareIptables(node: NodeContext, views: readonly ServicePortView[], live: Ruleset): FamilyComparison {
  const wanted = iptablesRuleset(node, views)
  const stale = staleChains(live, wanted)
  const differences = compareRules(wanted, live, IPTABLES_OWNERSHIP, new IptablesOwners(views), stale)
  return { family: node.family, differences, notes: staleNotes(stale) }
}

/** kube-proxy leaves the chains of what went, and deletes them in a later sync: a restore of all others is faster. */
function staleChains(live: Ruleset, wanted: Ruleset): Set<string> {
  const chains = live.get('nat') ?? new Map()
  const extra = new Set([...chains.keys()].filter(name => isServiceChain(name) && wanted.get('nat')?.has(name) !== true))
  if (extra.size === 0) return extra
  const roots = [...chains.keys()].filter(name => !extra.has(name))
  const alive = reachable(roots, name => (chains.get(name)?.rules ?? []).flatMap(targetsOf))
  return new Set([...extra].filter(name => !alive.has(name)))
}

function isServiceChain(name: string): boolean {
  return /^KUBE-(?:SVC|SVL|EXT|FW|SEP)-/.test(name)
}

function targetsOf(rule: string): readonly string[] {
  return optionsOf(rule).flatMap(({ name, values }) => (name === '-j' || name === '-g' ? values : []))
}
