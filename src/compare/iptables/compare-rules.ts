import { type ChainDifference, compareRulesets, type Ownership } from '../../iptables/compare.ts'
import type { Ruleset } from '../../iptables/ruleset.ts'
import { type Difference, difference } from '../difference.ts'
import type { ServiceRef } from '../service-index.ts'
import { withoutCounters } from './counters.ts'

/** Which service ports chains and rules belong to. */
export interface RuleOwners {
  ofChain(name: string, rules: readonly string[]): readonly ServiceRef[]
  ofRule(rule: string): readonly ServiceRef[]
}

/**
 * Compares the part of a dump that is a mode's own, as differences by service: a chain in which many services have rules gives one for each of them.
 * @param stale chains that are there, but that nothing leads to
 */
export function compareRules(
  wanted: Ruleset,
  live: Ruleset,
  ownership: Ownership,
  owners: RuleOwners,
  stale: ReadonlySet<string>,
): Difference[] {
  const found = compareRulesets(withoutCounters(wanted), withoutCounters(live), ownership)
  return found
    .filter(({ kind, chain }) => kind !== 'extra' || !stale.has(chain))
    .flatMap(changed => {
      const { kind, table, chain, missingRules, extraRules } = changed
      const name = `chain ${table} ${chain}`
      if (kind === 'reordered') {
        const [before, after] = [wanted, live].map(ruleset => ruleset.get(table)?.get(chain)?.rules ?? [])
        return difference(`order of the rules in ${name}`, before ?? [], after ?? [], owners.ofChain(chain, before ?? [])) ?? []
      }
      const services = owners.ofChain(chain, [...missingRules, ...extraRules])
      if ((kind === 'missing' || kind === 'extra') && !ownership.isUnordered(chain))
        return { kind, object: name, wanted: missingRules, found: extraRules, services }
      const rules = byService(changed, owners).flatMap(part => difference(`rule of ${name}`, part.missing, part.extra, part.services) ?? [])
      return kind === 'different' ? rules : [{ kind, object: name, wanted: [], found: [], services: [] }, ...rules]
    })
}

interface Part {
  readonly services: readonly ServiceRef[]
  readonly missing: string[]
  readonly extra: string[]
}

function byService({ chain, missingRules, extraRules }: ChainDifference, owners: RuleOwners): Part[] {
  const parts = new Map<string, Part>()
  const part = (rule: string): Part => {
    const own = owners.ofChain(chain, [])
    const services = own.length > 0 ? own : owners.ofRule(rule)
    const key = JSON.stringify(services)
    const known = parts.get(key) ?? { services, missing: [], extra: [] }
    parts.set(key, known)
    return known
  }
  for (const rule of missingRules) part(rule).missing.push(rule)
  for (const rule of extraRules) part(rule).extra.push(rule)
  return [...parts.values()]
}
