import { isDeepStrictEqual } from 'node:util'
import type { TableContents } from '../nft/contents.ts'
import { type ElementData, Fragment } from '../nft/fragment.ts'
import type { ChainOptions, Layout, MapDeclaration, SetDeclaration } from '../nft/layouts/layout.ts'
import { sameData, sameDeclaration } from './batch.ts'

/** The names and keys under which two states of a table do not hold the same: on a large cluster few, since nearly everything is alike. */
export class TableDifference {
  readonly chains: ReadonlySet<string>
  /** Of sets and maps, which share their names. */
  readonly containers: ReadonlySet<string>
  readonly elements: ReadonlyMap<string, ReadonlySet<string>>

  constructor(a: TableContents, b: TableContents) {
    this.containers = new Set([...differentKeys(a.sets, b.sets, sameDeclaration), ...differentKeys(a.maps, b.maps, sameDeclaration)])
    // A set that is made again loses its elements, and no rule may name it meanwhile: then everything is looked at.
    const rebuilds = [...this.containers].some(name => has(a, name) && has(b, name))
    this.chains = new Set(differentKeys(a.chains, b.chains, rebuilds ? never : isDeepStrictEqual))
    const elements = new Map<string, ReadonlySet<string>>()
    for (const name of new Set([...a.elements.keys(), ...b.elements.keys()])) {
      const keys = new Set(differentKeys(a.elements.get(name) ?? NOTHING, b.elements.get(name) ?? NOTHING, rebuilds ? never : sameData))
      if (keys.size > 0) elements.set(name, keys)
    }
    this.elements = elements
  }

  get isEmpty(): boolean {
    return this.chains.size === 0 && this.containers.size === 0 && this.elements.size === 0
  }
}

const NOTHING: ReadonlyMap<string, ElementData> = new Map()

/** The keys of things that only one side has or that are not the same, those of the first side first. */
export function* differentKeys<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>, same: (a: T, b: T) => boolean): Generator<string> {
  for (const [key, thing] of a) {
    const other = b.get(key)
    if (other === undefined || !same(thing, other)) yield key
  }
  for (const key of b.keys()) if (!a.has(key)) yield key
}

function has({ sets, maps }: TableContents, name: string): boolean {
  return sets.has(name) || maps.has(name)
}

function never(): boolean {
  return false
}

/** Keeps only what differs, of all that is put into it. */
export class DifferentPart extends Fragment {
  readonly #difference: TableDifference

  constructor(layout: Layout, difference: TableDifference) {
    super(layout)
    this.#difference = difference
  }

  override chain(name: string, rules: readonly string[], options?: ChainOptions): void {
    if (this.#difference.chains.has(name)) super.chain(name, rules, options)
  }

  override sharedChain(name: string, rules: () => readonly string[]): void {
    if (this.#difference.chains.has(name)) super.sharedChain(name, rules)
  }

  override set(name: string, declaration: SetDeclaration): void {
    if (this.#difference.containers.has(name)) super.set(name, declaration)
  }

  override map(name: string, declaration: MapDeclaration): void {
    if (this.#difference.containers.has(name)) super.map(name, declaration)
  }

  override element(container: string, key: string, value?: string, comment?: string): void {
    if (this.#difference.elements.get(container)?.has(key)) super.element(container, key, value, comment)
  }
}
