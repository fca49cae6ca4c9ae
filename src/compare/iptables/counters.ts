import type { Ruleset } from '../../iptables/ruleset.ts'
import { LOCALHOST_COUNTER } from '../../iptables/words.ts'

const MATCH = / ?-m nfacct --nfacct-name \S+/

/**
 * A ruleset without nfacct: counters change nothing for a packet, and whether the node has them is not known from a snapshot. kube-proxy's rule that counts
 * node port packets to loopback addresses has one without counter behind it, so it goes as a whole.
 */
export function withoutCounters(ruleset: Ruleset): Ruleset {
  return new Map(
    [...ruleset].map(([table, chains]) => [
      table,
      new Map(
        [...chains].map(([name, { policy, rules }]) => [
          name,
          { policy, rules: rules.some(rule => MATCH.test(rule)) ? stripped(rules) : rules },
        ]),
      ),
    ]),
  )
}

function stripped(rules: readonly string[]): string[] {
  return rules.filter(rule => !rule.includes(LOCALHOST_COUNTER)).map(rule => rule.replace(MATCH, '').trimStart())
}
