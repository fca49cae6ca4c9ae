import { isDeepStrictEqual } from 'node:util'
import { type ChainBody, type ElementData, type Fragment, inner } from '../nft/fragment.ts'
import type { MapDeclaration, SetDeclaration } from '../nft/layouts/layout.ts'
import { type Operation, type Origin, Phases } from './operation.ts'
import type { Owners } from './owners.ts'

/** One thing of the ruleset before and after a change. */
interface Pair<T> {
  before: T | undefined
  after: T | undefined
  readonly origins: Origin[]
}

/** One thing that several service ports can own: how many of those in the batch did and do. */
interface SharedPair {
  before: number
  after: number
  rulesBefore: (() => readonly string[]) | undefined
  rulesAfter: (() => readonly string[]) | undefined
  readonly origins: Origin[]
}

type Side = 'before' | 'after'

/**
 * Collects what changes, owner by owner, and turns the sum into one transaction. What one owner drops and another takes over in the same batch
 * is one change or none: an element that moves unchanged costs nothing, a chain that comes back is never deleted.
 */
export class Batch {
  readonly #chains = new Map<string, Pair<ChainBody>>()
  readonly #sets = new Map<string, Pair<SetDeclaration>>()
  readonly #maps = new Map<string, Pair<MapDeclaration>>()
  readonly #elements = new Map<string, Map<string, Pair<ElementData>>>()
  readonly #sharedChains = new Map<string, SharedPair>()
  readonly #sharedElements = new Map<string, Map<string, SharedPair>>()

  /** Registers what an owner has before and after; either may be missing. */
  change(origin: Origin, before: Fragment | undefined, after: Fragment | undefined): void {
    if (before !== undefined) this.#register('before', before, origin)
    if (after !== undefined) this.#register('after', after, origin)
  }

  #register(side: Side, fragment: Fragment, origin: Origin): void {
    noteAll(this.#chains, fragment.chains, side, origin)
    noteAll(this.#sets, fragment.sets, side, origin)
    noteAll(this.#maps, fragment.maps, side, origin)
    for (const [container, elements] of fragment.elements) noteAll(inner(this.#elements, container), elements, side, origin)
    for (const [name, { count, rules }] of fragment.sharedChains) {
      const shared = noteShared(this.#sharedChains, name, side, count, origin)
      shared[side === 'before' ? 'rulesBefore' : 'rulesAfter'] = rules
    }
    for (const [container, counts] of fragment.sharedElements) {
      const pairs = inner(this.#sharedElements, container)
      for (const [key, count] of counts) noteShared(pairs, key, side, count, origin)
    }
  }

  /** The transaction; brings `owners` up to date. A batch is finished once. */
  finish(owners: Owners): Operation[] {
    this.#settleShared(owners)
    const phases = new Phases()
    const rebuilt = new Set<string>()
    const gone = new Set<string>()
    for (const kind of ['set', 'map'] as const) {
      for (const [name, { before, after, origins }] of kind === 'set' ? this.#sets : this.#maps) {
        if (before !== undefined && after !== undefined) {
          if (sameDeclaration(before, after)) continue
          rebuilt.add(name)
        }
        if (before !== undefined) {
          gone.add(name)
          phases.deleteContainers.push({ verb: 'delete', object: { kind, name }, origins })
        }
        if (after !== undefined) phases.addContainers.push({ verb: 'add', object: { kind, name, ...after }, origins } as Operation)
      }
    }
    for (const [name, { before, after, origins }] of this.#chains) {
      if (after === undefined) {
        phases.flush.push({ verb: 'flush', object: { kind: 'chain', name }, origins })
        phases.deleteChains.push({ verb: 'delete', object: { kind: 'chain', name }, origins })
        continue
      }
      const { rules, ...options } = after
      const add: Operation = { verb: 'add', object: { kind: 'chain', name, ...options }, origins }
      if (before === undefined) phases.addChains.push(add)
      else if (!isDeepStrictEqual(before.hook, after.hook)) {
        // The hook of a chain cannot be changed ("Operation not supported"), and nothing jumps to a base chain: it goes first.
        phases.replaceChains.push(
          { verb: 'flush', object: { kind: 'chain', name }, origins },
          { verb: 'delete', object: { kind: 'chain', name }, origins },
          add,
        )
        for (const text of rules) phases.addRules.push({ verb: 'add', object: { kind: 'rule', chain: name, text }, origins })
        continue
      }
      const kept = before === undefined ? 0 : keptRules(before.rules, rules, rebuilt)
      if (before !== undefined && kept < before.rules.length) phases.flush.push({ verb: 'flush', object: { kind: 'chain', name }, origins })
      for (const text of rules.slice(kept)) phases.addRules.push({ verb: 'add', object: { kind: 'rule', chain: name, text }, origins })
    }
    for (const [container, pairs] of this.#elements) {
      for (const [key, { before: owned, after, origins }] of pairs) {
        const before = gone.has(container) ? undefined : owned
        if (before !== undefined && after !== undefined && sameData(before, after)) continue
        if (before !== undefined) phases.deleteElements.push(elementOperation('delete', container, key, before, origins))
        if (after !== undefined) phases.addElements.push(elementOperation('add', container, key, after, origins))
      }
    }
    return phases.inOrder()
  }

  /** Makes plain changes of the shared things that nobody owned before, or nobody owns any more. */
  #settleShared(owners: Owners): void {
    for (const [name, { before, after, rulesBefore, rulesAfter, origins }] of this.#sharedChains) {
      const total = owners.moveChain(name, after - before)
      // Owners outside the batch have the rules that its members have: a change of the node, which alters them, has every owner in the batch.
      const body = (rules: (() => readonly string[]) | undefined): ChainBody => ({ rules: (rules ?? rulesAfter ?? rulesBefore)?.() ?? [] })
      this.#chains.set(name, {
        before: total.before > 0 ? body(rulesBefore) : undefined,
        after: total.after > 0 ? body(rulesAfter ?? rulesBefore) : undefined,
        origins,
      })
    }
    for (const [container, pairs] of this.#sharedElements) {
      const settled = inner(this.#elements, container)
      for (const [key, { before, after, origins }] of pairs) {
        const total = owners.moveElement(container, key, after - before)
        settled.set(key, { before: total.before > 0 ? {} : undefined, after: total.after > 0 ? {} : undefined, origins })
      }
    }
  }
}

function noteAll<T>(pairs: Map<string, Pair<T>>, things: ReadonlyMap<string, T>, side: Side, origin: Origin): void {
  for (const [key, thing] of things) {
    let pair = pairs.get(key)
    if (pair === undefined) {
      pair = { before: undefined, after: undefined, origins: [] }
      pairs.set(key, pair)
    }
    pair[side] = thing
    if (pair.origins.at(-1) !== origin) pair.origins.push(origin)
  }
}

function noteShared(pairs: Map<string, SharedPair>, key: string, side: Side, count: number, origin: Origin): SharedPair {
  let pair = pairs.get(key)
  if (pair === undefined) {
    pair = { before: 0, after: 0, rulesBefore: undefined, rulesAfter: undefined, origins: [] }
    pairs.set(key, pair)
  }
  pair[side] += count
  if (pair.origins.at(-1) !== origin) pair.origins.push(origin)
  return pair
}

/**
 * How many of a chain's rules can stay. Rules can only be appended without handles: either all old ones stay, or the chain is emptied and filled again.
 * A chain that names a set which is deleted and made again has to let go of it first.
 */
function keptRules(before: readonly string[], after: readonly string[], rebuilt: ReadonlySet<string>): number {
  const stays = before.length <= after.length && before.every((rule, index) => rule === after[index])
  const usesRebuilt = rebuilt.size > 0 && before.some(rule => [...rule.matchAll(/@(\S+)/g)].some(match => rebuilt.has(match[1] as string)))
  return stays && !usesRebuilt ? before.length : 0
}

/** Whether a set or map can stay as it is. */
export function sameDeclaration(a: SetDeclaration & { readonly value?: string }, b: SetDeclaration & { readonly value?: string }): boolean {
  return (
    a.type === b.type &&
    a.typeof === b.typeof &&
    a.value === b.value &&
    a.timeout === b.timeout &&
    String(a.flags) === String(b.flags) &&
    a.comment === b.comment
  )
}

export function sameData(a: ElementData, b: ElementData): boolean {
  return a.value === b.value && a.comment === b.comment
}

function elementOperation(verb: 'add' | 'delete', set: string, key: string, data: ElementData, origins: readonly Origin[]): Operation {
  return { verb, object: { kind: 'element', set, map: data.value !== undefined, key, ...data }, origins }
}
