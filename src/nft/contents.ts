import type { ChainBody, ElementData, Fragment } from './fragment.ts'
import type { MapDeclaration, SetDeclaration } from './layouts/layout.ts'

/** Everything in one table, as it was read from the kernel or from a script. Rules, keys and values are in the layouts' canonical spelling. */
export interface TableContents {
  readonly comment: string | undefined
  readonly chains: ReadonlyMap<string, ChainBody>
  readonly sets: ReadonlyMap<string, SetDeclaration>
  readonly maps: ReadonlyMap<string, MapDeclaration>
  /** By set or map, then by key. Elements that the kernel added itself (session affinity) are left out. */
  readonly elements: ReadonlyMap<string, ReadonlyMap<string, ElementData>>
}

/** What a table holds when a ruleset is in it. */
export function contentsOf({ chains, sharedChains, sets, maps, elements, sharedElements }: Fragment): TableContents {
  const all = new Map<string, ReadonlyMap<string, ElementData>>(elements)
  for (const [name, counts] of sharedElements) all.set(name, new Map([...counts.keys()].map(key => [key, {}])))
  const bodies = new Map<string, ChainBody>(chains)
  for (const [name, { rules }] of sharedChains) bodies.set(name, { rules: rules() })
  return { comment: undefined, chains: bodies, sets, maps, elements: all }
}
