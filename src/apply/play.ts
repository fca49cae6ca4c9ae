import type { TableContents } from '../nft/contents.ts'
import type { ChainBody, ElementData } from '../nft/fragment.ts'
import { inner } from '../nft/fragment.ts'
import type { MapDeclaration, SetDeclaration } from '../nft/layouts/layout.ts'
import type { Command } from '../nft/objects.ts'
import { canonicalRule } from '../nft/rule/canonical.ts'

/** What a table holds after a transaction that the kernel takes; undefined: there is none. Only what the commands touch is copied. */
export function play(commands: readonly Command[], before: TableContents | undefined): TableContents | undefined {
  const chains = new Map(before?.chains)
  const sets = new Map(before?.sets)
  const maps = new Map(before?.maps)
  const elements = new Map<string, Map<string, ElementData>>()
  for (const [name, own] of before?.elements ?? []) elements.set(name, own as Map<string, ElementData>)
  const copied = new Set<string>()
  const own = (container: string): Map<string, ElementData> => {
    if (!copied.has(container)) elements.set(container, new Map(elements.get(container)))
    copied.add(container)
    return inner(elements, container)
  }
  let exists = before !== undefined
  for (const { verb, object } of commands) {
    switch (object.kind) {
      case 'table':
        exists = verb === 'add'
        break
      case 'chain': {
        const { kind: _, name, ...options } = object
        if (verb === 'delete') chains.delete(name)
        else if (verb === 'flush') chains.set(name, { ...chains.get(name), rules: [] })
        else if (!chains.has(name)) chains.set(name, { ...options, rules: [] })
        break
      }
      case 'rule': {
        const known: ChainBody | undefined = chains.get(object.chain)
        chains.set(object.chain, { ...known, rules: [...(known?.rules ?? []), canonicalRule(object.text)] })
        break
      }
      case 'set':
      case 'map': {
        const { kind, name, ...declaration } = object
        const containers = (kind === 'set' ? sets : maps) as Map<string, SetDeclaration>
        if (verb === 'add') containers.set(name, declaration as MapDeclaration)
        else {
          containers.delete(name)
          elements.delete(name)
        }
        break
      }
      case 'element': {
        const { set, key, value, comment } = object
        if (verb === 'delete') own(set).delete(key)
        else own(set).set(key, { ...(value === undefined ? {} : { value }), ...(comment === undefined ? {} : { comment }) })
      }
    }
  }
  for (const [name, left] of elements) if (left.size === 0) elements.delete(name)
  return exists ? { comment: before?.comment, chains, sets, maps, elements } : undefined
}
