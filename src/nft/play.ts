import type { TableContents } from './contents.ts'
import { type ChainBody, type ElementData, inner } from './fragment.ts'
import type { MapDeclaration, SetDeclaration } from './layouts/layout.ts'
import type { ChainObject, Command, MapObject, SetObject } from './objects.ts'
import { canonicalRule } from './rule/canonical.ts'

/** What the table holds after a script's commands, starting from nothing, in canonical spelling. That nft takes them is not checked. */
export function playCommands(commands: Iterable<Command>): TableContents {
  let comment: string | undefined
  const chains = new Map<string, ChainBody & { readonly rules: string[] }>()
  const sets = new Map<string, SetDeclaration>()
  const maps = new Map<string, MapDeclaration>()
  const elements = new Map<string, Map<string, ElementData>>()

  const addTo = <T>(things: Map<string, T>, name: string, thing: T): void => {
    if (!things.has(name)) things.set(name, thing)
  }

  for (const { verb, object } of commands) {
    switch (object.kind) {
      case 'table':
        if (verb === 'add') comment ??= object.comment
        else if (verb === 'delete') {
          comment = undefined
          for (const things of [chains, sets, maps, elements]) things.clear()
        } else for (const { rules } of chains.values()) rules.length = 0
        break
      case 'chain':
        if (verb === 'add') addTo(chains, object.name, { ...declared(object), rules: [] })
        else if (verb === 'delete') chains.delete(object.name)
        else chains.get(object.name)?.rules.splice(0)
        break
      case 'rule':
        chains.get(object.chain)?.rules.push(canonicalRule(object.text))
        break
      case 'set':
      case 'map':
        if (verb === 'add')
          addTo<SetDeclaration>(
            object.kind === 'set' ? sets : (maps as Map<string, SetDeclaration>),
            object.name,
            declared(object) as SetDeclaration,
          )
        else {
          elements.delete(object.name)
          if (verb === 'delete') (object.kind === 'set' ? sets : maps).delete(object.name)
        }
        break
      case 'element': {
        const { set, key, value, comment: note } = object
        if (verb === 'delete') elements.get(set)?.delete(key)
        else inner(elements, set).set(key, { ...(value === undefined ? {} : { value }), ...(note === undefined ? {} : { comment: note }) })
      }
    }
  }
  return { comment, chains, sets, maps, elements: new Map([...elements].filter(([, keys]) => keys.size > 0)) }
}

/** An object without its kind and name: what is declared of it. */
function declared<T extends ChainObject | SetObject | MapObject>({
  kind: _kind,
  name: _name,
  ...declaration
}: T): Omit<T, 'kind' | 'name'> {
  return declaration
}
