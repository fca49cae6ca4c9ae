import { createHash } from 'node:crypto'
import type { TableContents } from '../nft/contents.ts'
import { Fragment } from '../nft/fragment.ts'
import { canonicalRule } from '../nft/rule/canonical.ts'
import { printTable } from '../nft/table-text.ts'

/** A table's contents as a ruleset in which nothing is shared. */
export function fragmentOf({ chains, sets, maps, elements }: TableContents): Fragment {
  const fragment = new Fragment({ sharedSets: new Set() })
  for (const [name, body] of chains) fragment.chains.set(name, body)
  for (const [name, set] of sets) fragment.sets.set(name, set)
  for (const [name, map] of maps) fragment.maps.set(name, map)
  for (const [name, own] of elements) fragment.elements.set(name, new Map(own))
  return fragment
}

/** Digits of a digest: enough to tell two tables apart, not to keep a forger out. */
const DIGITS = 16

/** A digest of what a table holds: the same for the same contents, whatever spelling nft gives them back in. */
export function fingerprint(contents: TableContents): string {
  const chains = new Map([...contents.chains].map(([name, body]) => [name, { ...body, rules: body.rules.map(canonicalRule) }]))
  const text = printTable(fragmentOf({ ...contents, chains }), { family: 'ipv4', table: 'table' }, '')
  return digest([text])
}

export function digest(texts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, DIGITS)
}
