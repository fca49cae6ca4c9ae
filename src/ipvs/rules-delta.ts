import type { Origin } from '../delta/operation.ts'
import { TABLES } from '../iptables/layout.ts'
import type { IptablesOperation } from '../iptables/operation.ts'
import type { Ruleset } from '../iptables/ruleset.ts'
import { sameRules } from '../iptables/same-rules.ts'
import { OUT_FILTER } from './iptables.ts'

/**
 * The difference of the rules that do not belong to single services. Our chains are written anew in whole, built-in ones keep what other programs
 * have there. `originsOf` says why a chain with these rules changed.
 */
export function* changeRules(
  before: Ruleset | undefined,
  after: Ruleset | undefined,
  originsOf: (rules: readonly string[]) => readonly Origin[],
): Generator<IptablesOperation> {
  for (const table of TABLES) {
    const [old, now] = [before?.get(table), after?.get(table)]
    for (const chain of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      const [had, have] = [old?.get(chain)?.rules, now?.get(chain)?.rules]
      if (!chain.startsWith('KUBE-')) {
        const removed = had?.filter(rule => !have?.includes(rule)) ?? []
        const appended = have?.filter(rule => !had?.includes(rule)) ?? []
        if (removed.length > 0) yield { verb: 'remove', table, chain, rules: removed, origins: originsOf(removed) }
        if (appended.length > 0) yield { verb: 'append', table, chain, rules: appended, origins: originsOf(appended) }
      } else if (have === undefined) yield { verb: 'delete', table, chain, rules: [], origins: originsOf(had ?? []) }
      else if (had === undefined || (chain !== OUT_FILTER && !sameRules(had, have)))
        yield { verb: 'write', table, chain, rules: have, origins: originsOf([...(had ?? []), ...have]) }
    }
  }
}
