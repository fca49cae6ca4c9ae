import type { Origin } from '../delta/operation.ts'
import type { VirtualServer } from './contents.ts'
import type { IpvsFragment } from './fragment.ts'
import type { SetName } from './sets.ts'

/** A virtual server in the fragments of a batch. */
export interface ServerPair {
  /** How many owners in the batch had it, and have it. */
  had: number
  have: number
  before: VirtualServer | undefined
  after: VirtualServer | undefined
  readonly origins: Origin[]
}

/** A counted thing in the fragments of a batch: by how much its count changes. */
export interface CountPair {
  by: number
  readonly origins: Origin[]
}

/** Things that several service ports can own: addresses on kube-ipvs0, rules of KUBE-IPVS-OUT-FILTER, entries of sets. */
export type Counted = 'addresses' | 'rules' | SetName

/** Collects what changes, owner by owner: what one owner drops and another takes over in the same batch is no change. */
export class IpvsBatch {
  readonly servers = new Map<string, ServerPair>()
  readonly counted = new Map<Counted, Map<string, CountPair>>()

  /** Registers what an owner has before and after; either may be missing. */
  change(origin: Origin, before: IpvsFragment | undefined, after: IpvsFragment | undefined): void {
    if (before !== undefined) this.#register(before, -1, origin)
    if (after !== undefined) this.#register(after, 1, origin)
  }

  #register(fragment: IpvsFragment, sign: 1 | -1, origin: Origin): void {
    for (const [service, server] of fragment.virtualServers) {
      let pair = this.servers.get(service)
      if (pair === undefined) {
        pair = { had: 0, have: 0, before: undefined, after: undefined, origins: [] }
        this.servers.set(service, pair)
      }
      if (sign < 0) {
        pair.had++
        pair.before = server
      } else {
        pair.have++
        pair.after = server
      }
      note(pair.origins, origin)
    }
    this.#count('addresses', fragment.addresses, sign, origin)
    this.#count('rules', fragment.outFilter, sign, origin)
    for (const [set, entries] of fragment.entries) this.#count(set, entries, sign, origin)
  }

  #count(kind: Counted, counts: ReadonlyMap<string, number>, sign: 1 | -1, origin: Origin): void {
    if (counts.size === 0) return
    let pairs = this.counted.get(kind)
    if (pairs === undefined) {
      pairs = new Map()
      this.counted.set(kind, pairs)
    }
    for (const [key, count] of counts) {
      const pair = pairs.get(key)
      if (pair === undefined) pairs.set(key, { by: sign * count, origins: [origin] })
      else {
        pair.by += sign * count
        note(pair.origins, origin)
      }
    }
  }
}

function note(origins: Origin[], origin: Origin): void {
  if (origins.at(-1) !== origin) origins.push(origin)
}
