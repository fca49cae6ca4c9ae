import { DiagnosticsError } from '../../diagnostics.ts'
import type { TableContents } from '../contents.ts'
import type { ChainBody, ElementData } from '../fragment.ts'
import type { Hook, MapDeclaration, SetDeclaration } from '../layouts/layout.ts'
import type { TableName } from '../print.ts'
import { normalRule } from '../rule/normal.ts'
import { printRule } from '../rule/print.ts'
import type { Json, Rule } from '../rule/rule.ts'
import { type ContainerJson, containerElements, mapDeclaration, setDeclaration } from './containers.ts'

interface ChainJson {
  readonly name: string
  readonly type?: Hook['type']
  readonly hook?: Hook['hook']
  readonly prio?: number
  readonly policy?: string
  readonly comment?: string
}

/** An entry of a listing: an object with one key, the kind. */
interface Entry {
  readonly table?: { readonly family: string; readonly name: string; readonly comment?: string }
  readonly chain?: ChainJson & InTable
  readonly set?: ContainerJson & InTable
  readonly map?: ContainerJson & InTable
  readonly rule?: Rule & InTable & { readonly chain: string }
}

interface InTable {
  readonly family: string
  readonly table: string
}

/**
 * Reads what `nft -j list table` (or `list ruleset`) printed, into the spelling of the layouts. A rule with anything that kubenft does not write
 * becomes its JSON text, which equals no rule of a layout. Counters, handles and elements that the kernel added itself are left out.
 *
 * The JSON of nft 1.0.6 leaves out the comments of tables and chains, the flag `dynamic`, and the expressions of `typeof`: such a declaration has the kernel's
 * types (`ipv4_addr . inet_service . integer`). `respell` fills them in from what is wanted; a text listing has them all.
 *
 * @returns undefined when the listing has no such table.
 * @throws DiagnosticsError when it is not such a listing, an empty text included.
 */
export function readTableJson(listing: string, { family, table }: TableName): TableContents | undefined {
  const familyName = family === 'ipv4' ? 'ip' : 'ip6'
  const inTable = (object: InTable | undefined): boolean => object !== undefined && object.table === table && object.family === familyName
  const chains = new Map<string, ChainBody & { readonly rules: string[] }>()
  const sets = new Map<string, SetDeclaration>()
  const maps = new Map<string, MapDeclaration>()
  const elements = new Map<string, ReadonlyMap<string, ElementData>>()
  const updated = new Set<string>()
  let found: Entry['table']
  for (const entry of parse(listing)) {
    if (entry.table?.name === table && entry.table.family === familyName) found = entry.table
    else if (entry.chain !== undefined && inTable(entry.chain)) chains.set(entry.chain.name, { ...chainOptions(entry.chain), rules: [] })
    else if (entry.set !== undefined && inTable(entry.set)) {
      sets.set(entry.set.name, setDeclaration(entry.set))
      keep(elements, entry.set)
    } else if (entry.map !== undefined && inTable(entry.map)) {
      maps.set(entry.map.name, mapDeclaration(entry.map))
      keep(elements, entry.map)
    } else if (entry.rule !== undefined && inTable(entry.rule)) {
      const { chain, expr, comment } = entry.rule
      chains.get(chain)?.rules.push(ruleText({ expr, comment }))
      for (const statement of expr) noteUpdate(statement, updated)
    }
  }
  if (found === undefined) return undefined
  for (const name of updated) {
    const set = sets.get(name)
    if (set !== undefined) sets.set(name, { ...set, flags: ['dynamic', ...(set.flags ?? [])] })
  }
  return { comment: found.comment, chains, sets, maps, elements }
}

function parse(listing: string): readonly Entry[] {
  try {
    const { nftables } = JSON.parse(listing) as { nftables?: readonly Entry[] }
    if (Array.isArray(nftables)) return nftables
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw new DiagnosticsError([
    {
      severity: 'error',
      summary: listing.trim() === '' ? 'the listing of the table is empty' : 'the listing of the table is not the JSON of nft',
      detail: 'It must be what `nft -j list table FAMILY NAME` prints.',
    },
  ])
}

function ruleText(rule: Rule): string {
  return printRule(normalRule(rule)) ?? JSON.stringify(rule)
}

function chainOptions({ type, hook, prio, policy, comment }: ChainJson): Omit<ChainBody, 'rules'> {
  const options = comment === undefined ? {} : { comment }
  if (type === undefined || hook === undefined || prio === undefined) return options
  // A policy other than accept is not in the model: it makes the hook differ from any that is wanted.
  const foreign = policy === undefined || policy === 'accept' ? {} : { policy }
  return { hook: { type, hook, priority: prio, ...foreign }, ...options }
}

function keep(elements: Map<string, ReadonlyMap<string, ElementData>>, container: ContainerJson): void {
  const read = containerElements(container)
  if (read.size > 0) elements.set(container.name, read)
}

/** nft 1.0.6 leaves the flag `dynamic` out, so a set has it when a rule updates the set. */
function noteUpdate(statement: Json, updated: Set<string>): void {
  if (statement === null || typeof statement !== 'object' || !('set' in statement)) return
  const { set } = statement.set as { readonly set?: Json }
  if (typeof set === 'string') updated.add(set.slice(1))
}
