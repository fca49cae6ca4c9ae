import { type Fragment, inner } from '../nft/fragment.ts'

/** How many service ports own each shared chain and each element of a shared set. What nobody owns is not kept. */
export class Owners {
  readonly #chains = new Map<string, number>()
  readonly #elements = new Map<string, Map<string, number>>()

  /** Counts what a fragment shares, before any batch: a table that was there already is the one owner of what it holds. */
  static of({ sharedChains, sharedElements }: Fragment): Owners {
    const owners = new Owners()
    for (const [name, { count }] of sharedChains) owners.moveChain(name, count)
    for (const [container, counts] of sharedElements) for (const [key, count] of counts) owners.moveElement(container, key, count)
    return owners
  }

  /** Changes the count of a shared chain; returns it before and after. */
  moveChain(name: string, by: number): Move {
    return move(this.#chains, name, by)
  }

  /** Changes the count of an element of a shared set; returns it before and after. */
  moveElement(container: string, key: string, by: number): Move {
    return move(inner(this.#elements, container), key, by)
  }
}

export interface Move {
  readonly before: number
  readonly after: number
}

function move(counts: Map<string, number>, key: string, by: number): Move {
  const before = counts.get(key) ?? 0
  const after = before + by
  if (after === 0) counts.delete(key)
  else if (by !== 0) counts.set(key, after)
  return { before, after }
}
