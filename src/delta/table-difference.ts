import { isDeepStrictEqual } from 'node:util'
import type { TableContents } from '../nft/contents.ts'
import { type ElementData, Fragment } from '../nft/fragment.ts'
import type { ChainOptions, Layout, MapDeclaration, SetDeclaration } from '../nft/layouts/layout.ts'
import { sameDeclaration } from './batch.ts'

/**
 * The names and keys under which two states of a table do not hold the same. On a large cluster nearly everything is alike: what is needs neither a
 * command nor to be known whose it is.
 */
export class TableDifference {
  readonly chains = new Set<string>()
  /** Of sets and maps, which share their names. */
  readonly containers = new Set<string>()
  readonly elements = new Map<string, Set<string>>()

  constructor(a: TableContents, b: TableContents) {
    noteDifferent(a.sets, b.sets, sameDeclaration, this.containers)
    noteDifferent(a.maps, b.maps, sameDeclaration, this.containers)
    // A set that is made again loses its elements, and no rule may name it meanwhile: then everything is looked at.
    const rebuilds = [...this.containers].some(name => has(a, name) && has(b, name))
    noteDifferent(a.chains, b.chains, rebuilds ? never : isDeepStrictEqual, this.chains)
    for (const name of new Set([...a.elements.keys(), ...b.elements.keys()])) {
      const keys = new Set<string>()
      noteDifferent(a.elements.get(name) ?? NOTHING, b.elements.get(name) ?? NOTHING, rebuilds ? never : sameData, keys)
      if (keys.size > 0) this.elements.set(name, keys)
    }
  }

  get isEmpty(): boolean {
    return this.chains.size === 0 && this.containers.size === 0 && this.elements.size === 0
  }
}

const NOTHING: ReadonlyMap<string, ElementData> = new Map()

function noteDifferent<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
  same: (a: T, b: T) => boolean,
  different: Set<string>,
): void {
  for (const [key, thing] of a) {
    const other = b.get(key)
    if (other === undefined || !same(thing, other)) different.add(key)
  }
  for (const key of b.keys()) if (!a.has(key)) different.add(key)
}

function has({ sets, maps }: TableContents, name: string): boolean {
  return sets.has(name) || maps.has(name)
}

function sameData(a: ElementData, b: ElementData): boolean {
  return a.value === b.value && a.comment === b.comment
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
