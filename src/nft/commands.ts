import type { ElementData, Fragment } from './fragment.ts'
import type { Command } from './objects.ts'

/** A full ruleset as commands, in the order of `printTable`. */
export function* tableCommands(fragment: Fragment, tableComment: string): Generator<Command> {
  const add = (object: Command['object']): Command => ({ verb: 'add', object })
  yield add({ kind: 'table', comment: tableComment })
  const chains = byName([...fragment.chains, ...[...fragment.sharedChains].map(([name, { rules }]) => [name, { rules: rules() }] as const)])
  for (const [name, { rules: _, ...options }] of chains) yield add({ kind: 'chain', name, ...options })
  for (const [name, set] of byName(fragment.sets)) yield add({ kind: 'set', name, ...set })
  for (const [name, map] of byName(fragment.maps)) yield add({ kind: 'map', name, ...map })
  for (const [chain, { rules }] of chains) for (const text of rules) yield add({ kind: 'rule', chain, text })
  const elements = [...fragment.elements]
  const shared = [...fragment.sharedElements].map(([name, counts]) => [name, new Map([...counts.keys()].map(key => [key, {}]))] as const)
  for (const map of [false, true]) {
    const own = elements.filter(([name]) => fragment.maps.has(name) === map)
    for (const [set, keys] of byName<ReadonlyMap<string, ElementData>>(map ? own : [...shared, ...own])) {
      for (const [key, data] of byName(keys)) yield add({ kind: 'element', set, map, key, ...data })
    }
  }
}

function byName<T>(entries: Iterable<readonly [string, T]>): (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
}
