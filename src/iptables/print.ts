import type { Ruleset } from './ruleset.ts'

/** Prints tables as iptables-save does, without counters, comments and the time: for each table its chains, then their rules, then `COMMIT`. */
export function printRuleset(ruleset: Ruleset): string {
  const lines: string[] = []
  for (const [table, chains] of ruleset) {
    lines.push(`*${table}`)
    for (const [name, { policy }] of chains) lines.push(`:${name} ${policy} [0:0]`)
    for (const [name, { rules }] of chains) for (const rule of rules) lines.push(`-A ${name} ${rule}`)
    lines.push('COMMIT')
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
