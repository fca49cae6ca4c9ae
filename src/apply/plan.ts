import type { Family } from '../address.ts'
import { because, type ServicePortChange } from '../delta/explain.ts'
import type { Operation } from '../delta/operation.ts'
import type { NodeContext } from '../model/types.ts'
import type { TableContents } from '../nft/contents.ts'
import type { Fragment } from '../nft/fragment.ts'
import type { Command } from '../nft/objects.ts'
import { printCommand, printScript, type TableName } from '../nft/print.ts'
import type { Live } from './live.ts'
import { type Metadata, metadataCommands } from './metadata.ts'

/** A command with its reasons, or, in a plan that was saved, with what they said. */
export type PlannedOperation = Operation | (Command & { readonly because: readonly string[] })

/** What is to happen to one family's table. */
export interface TablePlan extends TableName {
  readonly operations: readonly PlannedOperation[]
  /** What the table is to hold after it; undefined: it is to be gone. */
  readonly asked: TableContents | undefined
  /** Chains that stay, empty, for the next apply to delete (see `old-kernel.ts`). */
  readonly deferred: ReadonlySet<string>
}

/** What an apply is to do, all of it known before anything happens. */
export interface Plan {
  readonly tables: readonly TablePlan[]
  /** Undefined when nothing is to be done. */
  readonly metadata: Metadata | undefined
  /** `namespace/name` of the services that operations are there for, sorted. */
  readonly services: readonly string[]
  /** For connection tracking: which service ports change in each family. */
  readonly families: readonly { readonly node: NodeContext; readonly changes: readonly ServicePortChange[] }[]
  /** The rulesets that are asked for, as far as they are known as a whole. */
  readonly rulesets: readonly { readonly family: Family; readonly table: string; readonly fragment: Fragment }[]
}

/** Makes the plan that leads from the live tables to what is wanted. @throws DiagnosticsError when they are not the ones that it can start from. */
export type Planner = (live: Live) => Plan

/** What becomes a planner while the tables are read, such as a snapshot that is still being parsed. */
export type PlannerSource = () => Promise<Planner>

export function isEmpty({ tables }: Plan): boolean {
  return tables.every(({ operations }) => operations.length === 0)
}

export function reasons(operation: PlannedOperation): readonly string[] {
  return 'because' in operation ? operation.because : because(operation.origins)
}

/**
 * The plan as one nft script, a command a line, and so one transaction for the kernel. A table that is gone takes its metadata along; the metadata of all
 * others say the same.
 */
export function scriptOf({ tables, metadata }: Plan, live: Live): string {
  return tables
    .map(table => {
      const extra = metadata === undefined || table.asked === undefined ? [] : metadataCommands(metadata, live[table.family]?.metadata)
      return printScript(table.operations, table) + printScript(extra, table)
    })
    .join('')
}

/** The operation that stands in a line of `scriptOf`, counted from 1; undefined: it is one of the metadata. */
export function operationAt(
  plan: Plan,
  script: string,
  line: number,
): { readonly operation: PlannedOperation; readonly table: TablePlan } | undefined {
  const text = script.split('\n', line)[line - 1]
  for (const table of plan.tables) {
    const operation = table.operations.find(candidate => printCommand(candidate, table) === text)
    if (operation !== undefined) return { operation, table }
  }
  return undefined
}
