import type { NodeContext, ServicePortView } from '../../model/types.ts'

/** How a base chain is attached (nft's `type … hook … priority …`). */
export interface Hook {
  readonly type: 'filter' | 'nat'
  readonly hook: 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting'
  readonly priority: number
}

/** Declaration of a set: its key type, as `type` or as `typeof` expression. */
export interface SetDeclaration {
  readonly type: string
  /** `typeof` in place of `type`: needed where a key has a part that no type names, such as a numgen slot. */
  readonly typeof?: boolean
  readonly flags?: readonly string[]
  /** Seconds. */
  readonly timeout?: number
  readonly comment?: string
}

export interface MapDeclaration extends SetDeclaration {
  /** `verdict`, or a type or expression like the key's. */
  readonly value: string
}

export interface ChainOptions {
  readonly hook?: Hook
  readonly comment?: string
}

/**
 * Where a layout puts what it makes. Rules are canonical texts without `add rule FAMILY TABLE CHAIN`.
 * Chains may name chains and sets that are declared later: order is the printer's concern.
 */
export interface Sink {
  chain(name: string, rules: readonly string[], options?: ChainOptions): void
  /** A chain that several service ports use; its rules depend on nothing but its name and the node. */
  sharedChain(name: string, rules: () => readonly string[]): void
  set(name: string, declaration: SetDeclaration): void
  map(name: string, declaration: MapDeclaration): void
  /** An element of a set (no value) or map. In one of the layout's shared sets, several service ports may add the same one. */
  element(container: string, key: string, value?: string, comment?: string): void
}

export type LayoutName = 'maps' | 'kube-proxy-1.34' | 'kube-proxy-1.36' | 'kube-proxy-1.37'

/**
 * A layout turns a node into a fixed base and each service port into the fragment of ruleset that it owns. A full ruleset is the base and all
 * fragments, a delta the difference of the fragments of the service ports that changed.
 */
export interface Layout {
  readonly name: LayoutName
  /** Name of the table it writes. */
  readonly table: string
  readonly tableComment: string
  /** Sets whose elements several service ports can own together. */
  readonly sharedSets: ReadonlySet<string>
  /** Whether the position of an endpoint in its list is part of the rules, and so has to stay stable (see `delta/slots.ts`). */
  readonly keepsSlots: boolean
  base(node: NodeContext, sink: Sink): void
  servicePort(view: ServicePortView, node: NodeContext, sink: Sink): void
}
