import { canonicalRule } from './canonical.ts'
import { optionsOf } from './options.ts'
import type { Chain, Ruleset, Table } from './ruleset.ts'

/** What tells a mode's own part of a dump from that of other programs. */
export interface Ownership {
  /** Whether a chain of this name is the mode's own, also when nothing of the snapshot asks for it. */
  owns(chain: string): boolean
  /** Whether the order of the chain's rules means nothing. */
  isUnordered(chain: string): boolean
}

/**
 * How a chain of a dump differs from the one that is wanted. `missing`: it is not there; `extra`: it is there, but not wanted; `reordered`: it has
 * the rules, but in another order.
 */
export interface ChainDifference {
  readonly kind: 'missing' | 'extra' | 'different' | 'reordered'
  readonly table: string
  readonly chain: string
  /** Rules that are wanted and not there, as they are wanted. */
  readonly missingRules: readonly string[]
  /** Rules that are there and not wanted, as the dump has them. */
  readonly extraRules: readonly string[]
  /** Service port names (`namespace/name:port`) in the comments of these rules. */
  readonly servicePorts: readonly string[]
}

/**
 * Compares a dump with what a node should have, rule by rule in their canonical form. Chains of other programs, and their rules in the built-in
 * chains, are left out; so are policies, and tables of which nothing is wanted.
 */
export function compareRulesets(wanted: Ruleset, live: Ruleset, ownership: Ownership): ChainDifference[] {
  const differences: ChainDifference[] = []
  for (const [table, chains] of wanted) {
    const found: Table = live.get(table) ?? new Map()
    for (const [name, chain] of chains) {
      const there = found.get(name)
      const isOwn = ownership.owns(name)
      if (there === undefined && (isOwn || chain.rules.length > 0)) differences.push(describe('missing', table, name, chain.rules, []))
      else if (there !== undefined) {
        const rules = isOwn ? there.rules : there.rules.filter(rule => ownership.owns(targetOf(rule)))
        const difference = compareChain(table, name, chain.rules, rules, !isOwn || ownership.isUnordered(name))
        if (difference !== undefined) differences.push(difference)
      }
    }
    for (const [name, { rules }] of extraChains(found, chains, ownership)) differences.push(describe('extra', table, name, [], rules))
  }
  return differences
}

function extraChains(found: Table, wanted: Table, ownership: Ownership): [string, Chain][] {
  return [...found].filter(([name]) => !wanted.has(name) && ownership.owns(name))
}

function compareChain(
  table: string,
  chain: string,
  wanted: readonly string[],
  found: readonly string[],
  unordered: boolean,
): ChainDifference | undefined {
  const wantedKeys = wanted.map(comparisonKey)
  const foundKeys = found.map(comparisonKey)
  const missing = without(wanted, wantedKeys, foundKeys)
  const extra = without(found, foundKeys, wantedKeys)
  if (missing.length > 0 || extra.length > 0) return describe('different', table, chain, missing, extra)
  if (unordered || wantedKeys.every((key, index) => key === foundKeys[index])) return undefined
  return { ...describe('reordered', table, chain, [], []), servicePorts: servicePortsIn(wanted) }
}

/** kube-proxy asks for random source ports wherever the installed iptables can; whether it can is not known from a snapshot. */
function comparisonKey(rule: string): string {
  return canonicalRule(rule).replace(/(-j MASQUERADE) --random-fully$/, '$1')
}

/** The rules whose keys are not among the others, each as often as it is missing there. */
function without(rules: readonly string[], keys: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1)
  return rules.filter((_, index) => {
    const key = keys[index] as string
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

function describe(
  kind: ChainDifference['kind'],
  table: string,
  chain: string,
  missingRules: readonly string[],
  extraRules: readonly string[],
): ChainDifference {
  return { kind, table, chain, missingRules, extraRules, servicePorts: servicePortsIn([...missingRules, ...extraRules]) }
}

function targetOf(rule: string): string {
  return optionsOf(rule).find(({ name }) => name === '-j' || name === '--jump' || name === '-g' || name === '--goto')?.values[0] ?? ''
}

function servicePortsIn(rules: readonly string[]): string[] {
  const comments = rules.flatMap(rule => optionsOf(rule).filter(({ name }) => name === '--comment'))
  const names = comments.flatMap(
    ({ values: [text = ''] }) => /(?:^| )([a-z0-9-]+\/[a-z0-9-]+(?::[a-z0-9-]+)?)(?: |$)/.exec(text)?.[1] ?? [],
  )
  return [...new Set(names)].sort()
}
