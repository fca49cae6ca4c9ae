import type { Family } from '../address.ts'
import type { ServicePortChange } from '../delta/explain.ts'
import type { Operation } from '../delta/operation.ts'
import { DiagnosticsError } from '../diagnostics.ts'
import type { NodeContext } from '../model/types.ts'
import { LAYOUTS } from '../nft/layouts/index.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { parseScript } from '../nft/parse.ts'
import { printCommand } from '../nft/print.ts'
import { fingerprint, fragmentOf } from './contents.ts'
import type { Live } from './live.ts'
import { type Metadata, rfc3339 } from './metadata.ts'
import { type Plan, type PlannedOperation, type Planner, reasons, type TablePlan } from './plan.ts'
import { play } from './play.ts'
import { savedPlanProblems } from './saved-plan-schema.ts'

/** A plan as a file. Commands are lines of an nft script, so that it can be reviewed, and only commands about our table can be read back. */
export interface PlanDocument {
  readonly apiVersion: 'kubenft/v1'
  readonly kind: 'Plan'
  readonly layout: Layout['name']
  readonly metadata: Metadata
  readonly services: readonly string[]
  readonly tables: readonly {
    readonly family: Family
    /** Fingerprint of the live table that it starts from; null: there was none. */
    readonly startsFrom: string | null
    readonly deferred: readonly string[]
    readonly commands: readonly { readonly command: string; readonly because: readonly string[] }[]
  }[]
  /** UDP service ports that the plan changes: what connection tracking has to forget. */
  readonly families: readonly { readonly node: object; readonly changes: readonly ServicePortChange[] }[]
}

/** @throws when there is nothing to do in the plan. */
export function savePlan(plan: Plan, live: Live, layout: Layout): PlanDocument {
  if (plan.metadata === undefined) throw new Error('an empty plan')
  return {
    apiVersion: 'kubenft/v1',
    kind: 'Plan',
    layout: layout.name,
    metadata: plan.metadata,
    services: plan.services,
    tables: plan.tables.map(table => ({
      family: table.family,
      startsFrom: startOf(live, table.family),
      deferred: [...table.deferred],
      commands: table.operations.map(operation => ({ command: printCommand(operation, table), because: reasons(operation) })),
    })),
    families: plan.families.map(({ node, changes }) => ({ node: withoutSets(node), changes: udpChanges(plan, changes) })),
  }
}

function startOf(live: Live, family: Family): string | null {
  const table = live[family]
  return table === undefined ? null : fingerprint(table.contents)
}

/** JSON has no sets; nothing that uses a saved node asks for accounting objects. */
function withoutSets(node: NodeContext): object {
  return { ...node, iptables: { ...node.iptables, nfacct: [] } }
}

function udpChanges({ tables }: Plan, changes: readonly ServicePortChange[]): ServicePortChange[] {
  const origins = new Set(
    tables.flatMap(({ operations }) => operations.flatMap(operation => (isFresh(operation) ? operation.origins : []))),
  )
  return changes.filter(change => origins.has(change) && (change.after ?? change.before)?.port.protocol === 'udp')
}

function isFresh(operation: PlannedOperation): operation is Operation {
  return 'origins' in operation
}

export interface SavedPlan {
  readonly layout: Layout
  readonly families: readonly Family[]
  readonly planner: Planner
}

/** Reads a saved plan. @throws DiagnosticsError when the file is not one */
export function readSavedPlan(text: string, file: string, now: () => Date): SavedPlan {
  const document = parse(text, file)
  const layout = LAYOUTS[document.layout]
  const parsed = document.tables.map(saved => ({ ...saved, operations: operationsOf(saved, layout, file) }))
  return {
    layout,
    families: document.tables.map(({ family }) => family),
    planner: live => {
      for (const { family, startsFrom } of parsed) if (startOf(live, family) !== startsFrom) throw stale(file, family, layout)
      const tables = parsed.map(
        ({ family, operations, deferred }): TablePlan => ({
          family,
          table: layout.table,
          operations,
          deferred: new Set(deferred),
          asked: withoutChains(play(operations, live[family]?.contents), deferred),
        }),
      )
      return {
        tables,
        metadata: { ...document.metadata, applied: rfc3339(now()) },
        services: document.services,
        families: document.families.map(({ node, changes }) => ({ node: node as NodeContext, changes })),
        rulesets: tables.flatMap(({ family, table, asked }) =>
          asked === undefined ? [] : [{ family, table, fragment: fragmentOf(asked) }],
        ),
      }
    },
  }
}

function withoutChains(contents: TablePlan['asked'], names: readonly string[]): TablePlan['asked'] {
  if (contents === undefined || names.length === 0) return contents
  return { ...contents, chains: new Map([...contents.chains].filter(([name]) => !names.includes(name))) }
}

function operationsOf({ family, commands }: PlanDocument['tables'][number], { table }: Layout, file: string): PlannedOperation[] {
  const script = parseScript(commands.map(({ command }) => `${command}\n`).join(''), file)
  const about = script.name
  if (about !== undefined && (about.table !== table || about.family !== family))
    throw invalid(file, `it has commands about another table than ${table} (${family})`)
  if (script.commands.length !== commands.length) throw invalid(file, 'it has several commands in one place')
  return script.commands.map((command, index) => ({ ...command, because: commands[index]?.because ?? [] }))
}

function parse(text: string, file: string): PlanDocument {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw invalid(file, `it is not JSON: ${(error as Error).message}`)
  }
  const problem = savedPlanProblems(document)
  if (problem !== undefined) throw invalid(file, problem)
  return document as PlanDocument
}

function invalid(file: string, summary: string): DiagnosticsError {
  return new DiagnosticsError([
    {
      severity: 'error',
      place: { file },
      summary: `not a plan of kubenft: ${summary}`,
      detail: 'Make one with kubenft apply -f SNAPSHOT --save-plan FILE.',
    },
  ])
}

function stale(file: string, family: Family, { table }: Layout): DiagnosticsError {
  return new DiagnosticsError([
    {
      severity: 'error',
      place: { file },
      summary: `the plan is stale: table ${table} (${family}) is no longer the one that it was made from`,
      detail: 'Nothing was changed. Make a new plan from the table as it is now, and review that.',
    },
  ])
}
