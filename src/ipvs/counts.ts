/** How many service ports own each thing of each kind. What nobody owns is not kept. */
export class Counts<Kind> {
  readonly #kinds = new Map<Kind, Map<string, number>>()

  /** Changes the count of a thing; returns it before and after. */
  move(kind: Kind, key: string, by: number): { readonly before: number; readonly after: number } {
    let counts = this.#kinds.get(kind)
    if (counts === undefined) {
      counts = new Map()
      this.#kinds.set(kind, counts)
    }
    const before = counts.get(key) ?? 0
    const after = before + by
    if (after === 0) counts.delete(key)
    else if (by !== 0) counts.set(key, after)
    return { before, after }
  }

  keys(kind: Kind): Iterable<string> {
    return this.#kinds.get(kind)?.keys() ?? []
  }

  isEmpty(kind: Kind): boolean {
    return (this.#kinds.get(kind)?.size ?? 0) === 0
  }
}
