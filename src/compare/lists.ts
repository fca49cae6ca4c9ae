/** How two lists of texts differ, given the keys by which they compare. */
export interface ListDifference {
  /** In `wanted`, and more often than in `found`. */
  readonly missing: readonly string[]
  readonly extra: readonly string[]
  /** Both have the same, in another order. */
  readonly reordered: boolean
}

/** Compares two lists by the keys of their members, each as often as it stands there. */
export function compareLists(wanted: readonly string[], found: readonly string[], keyOf: (text: string) => string): ListDifference {
  const wantedKeys = wanted.map(keyOf)
  const foundKeys = found.map(keyOf)
  const missing = without(wanted, wantedKeys, foundKeys)
  const extra = without(found, foundKeys, wantedKeys)
  const reordered = missing.length === 0 && extra.length === 0 && wantedKeys.some((key, index) => key !== foundKeys[index])
  return { missing, extra, reordered }
}

function without(texts: readonly string[], keys: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1)
  return texts.filter((_, index) => {
    const key = keys[index] as string
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

/** What can be reached from the roots. `next` lists what a thing leads to. */
export function reachable(roots: Iterable<string>, next: (name: string) => Iterable<string>): Set<string> {
  const seen = new Set(roots)
  for (const name of seen) for (const other of next(name)) seen.add(other)
  return seen
}
