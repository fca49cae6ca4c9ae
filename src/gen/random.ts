/** Numbers in [0, 1), the same for the same seed on every machine. */
export type Random = () => number

/** mulberry32 (Tommy Ettinger, 2017, public domain): 32 bits of state, fast, and good enough for test data. */
export function mulberry32(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from 0 to `below` - 1. */
export function pick(random: Random, below: number): number {
  return Math.floor(random() * below)
}

/** The numbers from `first` to `last` in random order (Fisher and Yates). */
export function shuffledRange(random: Random, first: number, last: number): number[] {
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  for (let i = numbers.length - 1; i > 0; i--) {
    const j = pick(random, i + 1)
    const other = numbers[j]!
    numbers[j] = numbers[i]!
    numbers[i] = other
  }
  return numbers
}

/**
 * Deals hands of known sizes to players who come one at a time, evenly mixed: after all have come, each hand has been dealt exactly as often as
 * `hands` says (Knuth's selection sampling, Algorithm S, with more than one kind). No memory per player.
 */
export class Deal<T> {
  readonly #random: Random
  readonly #hands: { readonly value: T; left: number }[]
  #left: number

  constructor(random: Random, hands: readonly (readonly [value: T, count: number])[]) {
    this.#random = random
    this.#hands = hands.map(([value, count]) => ({ value, left: count }))
    this.#left = hands.reduce((sum, [, count]) => sum + count, 0)
  }

  next(): T {
    let at = pick(this.#random, this.#left)
    for (const hand of this.#hands) {
      if (at < hand.left) {
        hand.left--
        this.#left--
        return hand.value
      }
      at -= hand.left
    }
    throw new RangeError('more players than hands')
  }
}
