import type { Family } from '../address.ts'
import type { Change } from '../delta/change.ts'
import { NodeRules } from '../delta/node-rules.ts'
import type { ResidentOptions } from '../delta/resident-rules.ts'
import { servicesTouched } from '../delta/statistics.ts'
import type { NodeContext } from '../model/types.ts'
import { contentsOf } from '../nft/contents.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { fingerprint } from './contents.ts'
import type { Live } from './live.ts'
import type { Metadata } from './metadata.ts'
import { deferDeletions } from './old-kernel.ts'
import type { Planner, TablePlan } from './plan.ts'

export interface Goal extends ResidentOptions {
  readonly layout: Layout
  /** Everything that the snapshot holds, as changes from nothing. */
  readonly changes: readonly Change[]
  readonly nodes: readonly NodeContext[]
  /** Release of the kernel, as `uname -r` prints it. */
  readonly kernel: string
  readonly source: () => Omit<Metadata, 'contents' | 'layout'>
}

/** Plans what leads from any live tables to the rules that a snapshot asks for. What needs no live table is done at once, while nft still lists them. */
export function snapshotPlanner(goal: Goal): Planner {
  const { layout, kernel } = goal
  const source = goal.source()
  let prepared: NodeRules | undefined = rulesFor(goal)
  return live => {
    const rules = prepared ?? rulesFor(goal)
    prepared = undefined
    const transactions = rules.apply([], contentsOnly(live))
    const rulesets = rules.fragments()
    const tables: TablePlan[] = transactions.map(({ family, table, operations }) => {
      const fragment = rulesets.find(ruleset => ruleset.family === family)?.fragment
      const { operations: now, chains } = deferDeletions(operations, live[family]?.contents, kernel)
      return { family, table, operations: now, deferred: chains, asked: fragment && contentsOf(fragment) }
    })
    tables.push(...tablesOfNoFamily(live, tables, layout))
    return {
      tables,
      metadata: tables.some(({ operations }) => operations.length > 0)
        ? { ...source, layout: layout.name, contents: fingerprints(tables) }
        : undefined,
      services: servicesTouched(transactions.flatMap(({ operations }) => operations)),
      families: goal.nodes.map(node => ({ node, changes: transactions.find(({ family }) => family === node.family)?.changes ?? [] })),
      rulesets,
    }
  }
}

function rulesFor(goal: Goal): NodeRules {
  const rules = new NodeRules(goal)
  rules.take(goal.changes)
  return rules
}

function contentsOnly({ ipv4, ipv6 }: Live) {
  return { ...(ipv4 === undefined ? {} : { ipv4: ipv4.contents }), ...(ipv6 === undefined ? {} : { ipv6: ipv6.contents }) }
}

/** Tables of a family that the node does not have, from a time when it had. */
function tablesOfNoFamily(live: Live, tables: readonly TablePlan[], { table }: Layout): TablePlan[] {
  return (Object.keys(live) as Family[])
    .filter(family => !tables.some(known => known.family === family))
    .map(family => ({
      family,
      table,
      operations: [{ verb: 'delete', object: { kind: 'table' }, origins: ['node'] }],
      deferred: new Set(),
      asked: undefined,
    }))
}

function fingerprints(tables: readonly TablePlan[]): string {
  return tables
    .flatMap(({ family, asked, deferred }) => {
      if (asked === undefined) return []
      const chains = new Map([...asked.chains, ...[...deferred].map(name => [name, { rules: [] }] as const)])
      return [`${family}:${fingerprint({ ...asked, chains })}`]
    })
    .join(',')
}
