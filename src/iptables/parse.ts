import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'
import type { Chain, Ruleset } from './ruleset.ts'

/** So many problems are listed; a file that is no dump at all has one a line. */
const MAX_PROBLEMS = 20

interface OpenChain extends Chain {
  readonly rules: string[]
}

/**
 * Parses what iptables-save and ip6tables-save print, with or without counters, of the legacy and the nft variant, and what `printRuleset` prints.
 * The text of a rule is kept as it stands, whatever matches it uses; counters and comment lines are left out.
 * @param file name of the dump in diagnostics
 * @throws DiagnosticsError when the text is anything else, such as a list of commands or a dump that was cut short
 */
export function parseRuleset(text: string, file?: string): Ruleset {
  const ruleset = new Map<string, Map<string, OpenChain>>()
  const problems: Diagnostic[] = []
  let chains: Map<string, OpenChain> | undefined
  let lineNumber = 0

  const problem = (summary: string): void => {
    problems.push({ severity: 'error', place: { ...(file === undefined ? {} : { file }), path: `line ${lineNumber}` }, summary })
  }
  const take = (line: string): void => {
    if (line.startsWith('*')) {
      const table = line.slice(1)
      if (chains !== undefined) problem(`table ${table} begins before the last one ended with COMMIT`)
      if (ruleset.has(table))
        problem(`table ${table} stands here twice; give the dumps of iptables-legacy-save and iptables-nft-save apart`)
      chains = new Map()
      ruleset.set(table, chains)
    } else if (chains === undefined) problem(`"${line}" stands outside of a table`)
    else if (line === 'COMMIT') chains = undefined
    else if (line.startsWith(':')) {
      const declaration = /^:(\S+) (\S+)(?: \[\d+:\d+\])?$/.exec(line)
      if (declaration === null) problem(`"${line}" does not declare a chain`)
      else chains.set(declaration[1] as string, { policy: declaration[2] as string, rules: [] })
    } else {
      const rule = /^(?:\[\d+:\d+\] )?-A (\S+)(?: (.*))?$/.exec(line)
      const chain = rule === null ? undefined : chains.get(rule[1] as string)
      if (rule === null) problem(`"${line}" is nothing that iptables-save prints`)
      else if (chain === undefined) problem(`there is no chain ${rule[1]} in this table`)
      else chain.rules.push(rule[2]?.trim() ?? '')
    }
  }

  for (const raw of text.split('\n')) {
    lineNumber++
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    take(line)
    if (problems.length >= MAX_PROBLEMS) break
  }
  if (chains !== undefined && problems.length < MAX_PROBLEMS) problem('the last table has no COMMIT: the dump was cut short')
  if (problems.length > 0) throw new DiagnosticsError(problems)
  return ruleset
}
