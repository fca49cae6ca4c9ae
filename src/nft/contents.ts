import type { ChainBody, ElementData } from './fragment.ts'
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
