import type { Hook } from './layouts/layout.ts'

export type Verb = 'add' | 'delete' | 'flush'

export interface TableObject {
  readonly kind: 'table'
  readonly comment?: string
}

export interface ChainObject {
  readonly kind: 'chain'
  readonly name: string
  /** Present on base chains. */
  readonly hook?: Hook
  readonly comment?: string
}

export interface RuleObject {
  readonly kind: 'rule'
  readonly chain: string
  /** Canonical rule text with its comment, without `add rule FAMILY TABLE CHAIN`. */
  readonly text: string
}

export interface SetObject {
  readonly kind: 'set'
  readonly name: string
  /** Key type, such as `ipv4_addr . inet_proto`; or expression, when `typeof` is set. Absent where only the name counts (delete, flush). */
  readonly type?: string
  readonly typeof?: boolean
  readonly flags?: readonly string[]
  /** Seconds. */
  readonly timeout?: number
  readonly comment?: string
}

export interface MapObject extends Omit<SetObject, 'kind'> {
  readonly kind: 'map'
  /** `verdict`, or a type or expression like the key's. Absent where only the name counts. */
  readonly value?: string
}

export interface ElementObject {
  readonly kind: 'element'
  /** Name of the set or map. */
  readonly set: string
  readonly map: boolean
  /** Canonical key: `172.30.0.1 . tcp . 80`. */
  readonly key: string
  /** Canonical value: `goto tcp-3`, `10.1.0.1 . 8080`. Not needed to delete. */
  readonly value?: string
  readonly comment?: string
}

/** Anything that a command of an nft script can be about. */
export type NftObject = TableObject | ChainObject | RuleObject | SetObject | MapObject | ElementObject

/** One command of an nft script, within one table. */
export interface Command {
  readonly verb: Verb
  readonly object: NftObject
}
