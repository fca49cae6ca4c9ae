import type { Ruleset } from './ruleset.ts'

/** Prints tables as iptables-save does, without counters, comments and the time: for each table its chains, then their rules, then `COMMIT`. */
export function printRuleset(ruleset: Ruleset): string {
  let text = ''
  for (const [table, chains] of ruleset) {
    text += `*${table}\n`
    for (const [name, { policy }] of chains) text += `:${name} ${policy} [0:0]\n`
    for (const [name, { rules }] of chains) {
      const start = `-A ${name} `
      for (const rule of rules) text += `${start}${rule}\n`
    }
    text += 'COMMIT\n'
  }
  return text
}
