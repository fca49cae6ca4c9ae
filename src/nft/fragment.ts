import type { ChainOptions, MapDeclaration, SetDeclaration, Sink } from './layouts/layout.ts'

export interface ChainBody extends ChainOptions {
  readonly rules: readonly string[]
}

/** Data of an element besides its key. */
export interface ElementData {
  readonly value?: string
  readonly comment?: string
}

/**
 * What a layout emits, collected: for one service port (to compare with what it owned before) or for all of them (a full ruleset).
 * Things that several service ports may own together are counted; everything else has one owner.
 */
export class Fragment implements Sink {
  readonly chains = new Map<string, ChainBody>()
  readonly sharedChains = new Map<string, { count: number; readonly rules: () => readonly string[] }>()
  readonly sets = new Map<string, SetDeclaration>()
  readonly maps = new Map<string, MapDeclaration>()
  readonly elements = new Map<string, Map<string, ElementData>>()
  /** Counts of the elements of shared sets, which have no data. */
  readonly sharedElements = new Map<string, Map<string, number>>()
  readonly #sharedSets: ReadonlySet<string>

  constructor({ sharedSets }: { readonly sharedSets: ReadonlySet<string> }) {
    this.#sharedSets = sharedSets
  }

  get isEmpty(): boolean {
    const { chains, sharedChains, sets, maps, elements, sharedElements } = this
    return [chains, sharedChains, sets, maps, elements, sharedElements].every(({ size }) => size === 0)
  }

  chain(name: string, rules: readonly string[], options: ChainOptions = {}): void {
    this.chains.set(name, { rules, ...options })
  }

  sharedChain(name: string, rules: () => readonly string[]): void {
    const known = this.sharedChains.get(name)
    if (known === undefined) this.sharedChains.set(name, { count: 1, rules })
    else known.count++
  }

  set(name: string, declaration: SetDeclaration): void {
    this.sets.set(name, declaration)
  }

  map(name: string, declaration: MapDeclaration): void {
    this.maps.set(name, declaration)
  }

  element(container: string, key: string, value?: string, comment?: string): void {
    if (this.#sharedSets.has(container)) {
      const counts = inner(this.sharedElements, container)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    } else inner(this.elements, container).set(key, elementData(value, comment))
  }
}

const NO_DATA: ElementData = {}

function elementData(value: string | undefined, comment: string | undefined): ElementData {
  if (comment === undefined) return value === undefined ? NO_DATA : { value }
  return value === undefined ? { comment } : { value, comment }
}

/** The map in a map of maps, made when it is not there. */
export function inner<V>(outer: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let found = outer.get(key)
  if (found === undefined) {
    found = new Map()
    outer.set(key, found)
  }
  return found
}
