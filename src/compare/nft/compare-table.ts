import { isDeepStrictEqual } from 'node:util'
import type { NodeContext, ServicePortView } from '../../model/types.ts'
import { contentsOf, type TableContents } from '../../nft/contents.ts'
import type { ChainBody, ElementData } from '../../nft/fragment.ts'
import type { Hook, Layout, MapDeclaration, SetDeclaration } from '../../nft/layouts/layout.ts'
import { fullFragment } from '../../nft/render.ts'
import { respell } from '../../nft/respell.ts'
import { canonicalRule } from '../../nft/rule/canonical.ts'
import { type Difference, difference, type FamilyComparison, staleNotes } from '../difference.ts'
import { compareLists } from '../lists.ts'
import { NftOwners } from './owners.ts'
import { settleSlots } from './settle-slots.ts'
import { staleObjects } from './stale.ts'

/**
 * Compares a table with what a layout makes for a node. Comments are left out, since no packet sees them; so are stale chains, which become a note.
 * In layouts that keep slots the dump's count.
 */
export function compareTable(layout: Layout, node: NodeContext, views: readonly ServicePortView[], table: TableContents): FamilyComparison {
  const settled = layout.keepsSlots ? views.map(view => settleSlots(view, table)) : views
  const wanted = contentsOf(fullFragment(layout, node, settled))
  const live = respell(table, wanted)
  const owners = new NftOwners(settled)
  const stale = staleObjects(live, wanted)
  const differences = [
    ...chainDifferences(wanted.chains, live.chains, owners, stale),
    ...containerDifferences('set', wanted.sets, live.sets, owners, stale),
    ...containerDifferences('map', wanted.maps, live.maps, owners, stale),
    ...elementDifferences(wanted, live, owners),
  ]
  return { family: node.family, differences, notes: staleNotes(stale) }
}

function* chainDifferences(
  wanted: ReadonlyMap<string, ChainBody>,
  live: ReadonlyMap<string, ChainBody>,
  owners: NftOwners,
  stale: ReadonlySet<string>,
): Generator<Difference> {
  for (const [name, { rules, hook }] of wanted) {
    const found = live.get(name)
    const services = owners.ofName(name)
    if (found === undefined) {
      yield { kind: 'missing', object: `chain ${name}`, wanted: rules, found: [], services }
      continue
    }
    if (!isDeepStrictEqual(hook, found.hook))
      yield { kind: 'different', object: `hook of chain ${name}`, wanted: [hookText(hook)], found: [hookText(found.hook)], services }
    const { missing, extra, reordered } = compareLists(rules, found.rules, ruleKey)
    const changed = reordered
      ? difference(`order of the rules in chain ${name}`, rules, found.rules, services)
      : difference(`rule of chain ${name}`, missing, extra, services)
    if (changed !== undefined) yield changed
  }
  for (const [name, { rules }] of live) {
    if (!wanted.has(name) && !stale.has(name))
      yield { kind: 'extra', object: `chain ${name}`, wanted: [], found: rules, services: owners.ofName(name) }
  }
}

/** Equal for rules that do the same: in one spelling, without the comment. */
function ruleKey(rule: string): string {
  return canonicalRule(rule.replace(/ comment "[^"]*"$/, ''))
}

function hookText(hook: Hook | undefined): string {
  if (hook === undefined) return 'none'
  const { type, hook: name, priority, ...others } = hook
  const policy = Object.entries(others).map(([key, value]) => ` ${key} ${value}`)
  return `type ${type} hook ${name} priority ${priority}${policy.join('')}`
}

function* containerDifferences(
  kind: 'set' | 'map',
  wanted: ReadonlyMap<string, SetDeclaration | MapDeclaration>,
  live: ReadonlyMap<string, SetDeclaration | MapDeclaration>,
  owners: NftOwners,
  stale: ReadonlySet<string>,
): Generator<Difference> {
  for (const [name, declaration] of wanted) {
    const [text, there] = [declarationText(declaration), live.get(name)]
    const found = there === undefined ? [] : [declarationText(there)]
    if (found[0] === text) continue
    yield {
      kind: there === undefined ? 'missing' : 'different',
      object: `${kind} ${name}`,
      wanted: [text],
      found,
      services: owners.ofName(name),
    }
  }
  for (const [name, declaration] of live) {
    if (!wanted.has(name) && !stale.has(name))
      yield { kind: 'extra', object: `${kind} ${name}`, wanted: [], found: [declarationText(declaration)], services: owners.ofName(name) }
  }
}

function declarationText({ type, typeof: isTypeof, flags = [], timeout, ...rest }: SetDeclaration | MapDeclaration): string {
  const value = 'value' in rest ? ` : ${rest.value}` : ''
  const options = [...flags.toSorted(), ...(timeout === undefined ? [] : [`timeout ${timeout}s`])]
  return [`${isTypeof === true ? 'typeof' : 'type'} ${type}${value}`, ...options].join(' ')
}

function* elementDifferences(wanted: TableContents, live: TableContents, owners: NftOwners): Generator<Difference> {
  const containers = new Set([...wanted.elements.keys(), ...live.elements.keys()])
  for (const name of containers) {
    const [own, found] = [wanted.elements.get(name), live.elements.get(name)]
    const object = `element of ${wanted.maps.has(name) || live.maps.has(name) ? 'map' : 'set'} ${name}`
    for (const [key, data] of own ?? []) {
      const there = found?.get(key)
      if (there !== undefined && there.value === data.value) continue
      const texts = there === undefined ? [] : [elementText(key, there)]
      const services = owners.ofElement(name, key, data)
      yield { kind: there === undefined ? 'missing' : 'different', object, wanted: [elementText(key, data)], found: texts, services }
    }
    for (const [key, data] of found ?? []) {
      if (own?.has(key) === true) continue
      yield { kind: 'extra', object, wanted: [], found: [elementText(key, data)], services: owners.ofElement(name, key, data) }
    }
  }
}

function elementText(key: string, { value }: ElementData): string {
  return value === undefined ? key : `${key} : ${value}`
}
