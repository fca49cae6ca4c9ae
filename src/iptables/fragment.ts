import type { Sink, TableName } from './layout.ts'

/** What one owner has in a table. */
export class TableFragment {
  readonly builtins = new Map<string, readonly string[]>()
  /** The last rules of each hub. */
  readonly hubs = new Map<string, readonly string[]>()
  readonly chains = new Map<string, readonly string[]>()
  readonly hubRules = new Map<string, string[]>()
}

/** What the layout emits, collected: for the node or one service port (to compare with what it owned before), or for all (a full ruleset). */
export class Fragment implements Sink {
  readonly filter = new TableFragment()
  readonly nat = new TableFragment()

  builtin(table: TableName, name: string, rules: readonly string[]): void {
    this[table].builtins.set(name, rules)
  }

  hub(table: TableName, name: string, lastRules: readonly string[]): void {
    this[table].hubs.set(name, lastRules)
  }

  chain(table: TableName, name: string, rules: readonly string[]): void {
    this[table].chains.set(name, rules)
  }

  hubRule(table: TableName, hub: string, rule: string): void {
    const known = this[table].hubRules.get(hub)
    if (known === undefined) this[table].hubRules.set(hub, [rule])
    else known.push(rule)
  }
}
