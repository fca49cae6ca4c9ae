import type { Origin } from '../delta/operation.ts'
import type { Fragment } from './fragment.ts'
import { TABLES, type TableName } from './layout.ts'
import type { IptablesOperation } from './operation.ts'
import { sameRules } from './same-rules.ts'

/** The rules of a chain before and after; undefined: it is not there. */
interface Pair {
  before: readonly string[] | undefined
  after: readonly string[] | undefined
  readonly origins: Origin[]
}

type Pairs = Map<string, Pair>

/** Collects what owners had and have and says what differs, hubs aside: those have many owners (see `Hubs`). */
export class Delta {
  readonly #chains: Readonly<Record<TableName, Pairs>> = { filter: new Map(), nat: new Map() }
  readonly #builtins: Readonly<Record<TableName, Pairs>> = { filter: new Map(), nat: new Map() }

  /** Registers what an owner has before and after; either may be missing. */
  change(origin: Origin, before: Fragment | undefined, after: Fragment | undefined): void {
    for (const table of TABLES) {
      for (const [side, fragment] of [
        ['before', before],
        ['after', after],
      ] as const) {
        if (fragment === undefined) continue
        note(this.#chains[table], fragment[table].chains, side, origin)
        note(this.#builtins[table], fragment[table].builtins, side, origin)
      }
    }
  }

  *operations(): Generator<IptablesOperation> {
    for (const table of TABLES) {
      for (const [chain, { before = [], after = [], origins }] of this.#builtins[table]) {
        const removed = before.filter(rule => !after.includes(rule))
        const appended = after.filter(rule => !before.includes(rule))
        if (removed.length > 0) yield { verb: 'remove', table, chain, rules: removed, origins }
        if (appended.length > 0) yield { verb: 'append', table, chain, rules: appended, origins }
      }
      for (const [chain, { before, after, origins }] of this.#chains[table]) {
        if (after === undefined) yield { verb: 'delete', table, chain, rules: [], origins }
        else if (before === undefined || !sameRules(before, after)) yield { verb: 'write', table, chain, rules: after, origins }
      }
    }
  }
}

function note(pairs: Pairs, chains: ReadonlyMap<string, readonly string[]>, side: 'before' | 'after', origin: Origin): void {
  for (const [name, rules] of chains) {
    let pair = pairs.get(name)
    if (pair === undefined) {
      pair = { before: undefined, after: undefined, origins: [] }
      pairs.set(name, pair)
    }
    pair[side] = rules
    if (pair.origins.at(-1) !== origin) pair.origins.push(origin)
  }
}
