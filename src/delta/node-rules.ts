import type { Family } from '../address.ts'
import type { TableContents } from '../nft/contents.ts'
import type { Fragment } from '../nft/fragment.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import type { Change } from './change.ts'
import type { Operation } from './operation.ts'
import { type FamilyCommit, type ResidentOptions, ResidentRules } from './resident-rules.ts'
import { RulesetState } from './ruleset-state.ts'

/**
 * What brings one family's table from the last state to the new one: operations in the order in which nft takes them as one transaction (empty:
 * nothing to do), and the service ports of every service that was looked at.
 */
export interface Transaction extends FamilyCommit<Operation> {
  readonly table: string
}

/** Our tables as they are in the kernel; a family without one has none. */
export type LiveTables = Readonly<Partial<Record<Family, TableContents>>>

export interface NodeRulesOptions extends ResidentOptions {
  readonly layout: Layout
}

/** The nftables rules of one node, resident (see {@link ResidentRules}). */
export class NodeRules {
  readonly #layout: Layout
  readonly #rules: ResidentRules<Operation, TableContents, RulesetState>

  constructor({ layout, ...options }: NodeRulesOptions) {
    this.#layout = layout
    this.#rules = new ResidentRules(options, cluster => new RulesetState(layout, cluster))
  }

  /**
   * Takes changes in order and returns a transaction for each family that has a table or had one. The first call makes the tables, or starts from
   * `live` ones: then their slots are kept and the transactions lead from what they hold, drift and all, to what the cluster asks for.
   * @throws DiagnosticsError when it is unclear which node is meant; nothing has happened to the rulesets then, and a later call can go on.
   */
  apply(changes: Iterable<Change>, live?: LiveTables): Transaction[] {
    return this.#rules.commit(changes, live).map(commit => ({ ...commit, table: this.#layout.table }))
  }

  /** Takes changes ahead of the next `apply`, which then only needs what is live. */
  take(changes: Iterable<Change>): void {
    this.#rules.take(changes)
  }

  /** The full rulesets as they are after the last transactions; in layouts that keep slots, with those slots. */
  fragments(): { readonly family: Family; readonly table: string; readonly fragment: Fragment }[] {
    const { table } = this.#layout
    return this.#rules.states().map(({ node, state }) => ({ family: node.family, table, fragment: state.fragment() }))
  }
}
