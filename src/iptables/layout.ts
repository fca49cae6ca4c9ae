import type { NodeContext } from '../model/types.ts'

export type TableName = 'filter' | 'nat'

/** In the order in which they are printed and loaded. */
export const TABLES: readonly TableName[] = ['filter', 'nat']

/** Everything besides a service port itself that decides what its rules are. */
export interface Form {
  readonly node: NodeContext
  /** kube-proxy leaves out the comments of chains per endpoint when the cluster has over 1,000 endpoints. */
  readonly largeCluster: boolean
}

/**
 * Where the layout puts what it makes. Rules are texts without `-A CHAIN `, in kube-proxy's order of matches. A hub is a chain of kube-proxy's
 * in which every service port can have rules; their order between service ports means nothing.
 */
export interface Sink {
  /** Rules in a built-in chain, which other programs use too. */
  builtin(table: TableName, name: string, rules: readonly string[]): void
  /** A hub, with the rules that come after those of all service ports. */
  hub(table: TableName, name: string, lastRules: readonly string[]): void
  /** A chain with one owner. */
  chain(table: TableName, name: string, rules: readonly string[]): void
  hubRule(table: TableName, hub: string, rule: string): void
}
