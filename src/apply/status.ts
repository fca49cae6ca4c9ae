import type { Family } from '../address.ts'
import type { TableContents } from '../nft/contents.ts'
import { fingerprint } from './contents.ts'
import type { Live } from './live.ts'
import type { Metadata } from './metadata.ts'
import type { Plan, Planner, TablePlan } from './plan.ts'

/**
 * `in sync`: as it was asked for, or, without a snapshot to compare with, as the last apply left it. `unknown`: it is there, but not from apply, and there is nothing
 * to compare it with.
 */
export type State = 'in sync' | 'drifted' | 'absent' | 'unknown'

export interface TableStatus {
  readonly family: Family
  readonly state: State
  readonly metadata: Partial<Metadata> | undefined
}

export interface Status {
  readonly state: State
  readonly tables: readonly TableStatus[]
  /** What would repair it; undefined without a snapshot. */
  readonly plan: Plan | undefined
}

/** From the worst: what all tables together are is what the worst of them is. */
const STATES: readonly State[] = ['drifted', 'absent', 'unknown', 'in sync']

/** Compares the live tables with what a snapshot asks for. */
export function statusAgainst(live: Live, planner: Planner): Status {
  const plan = planner(live)
  const tables = plan.tables.map((table): TableStatus => {
    const found = live[table.family]
    const inSync = table.operations.length === 0 || (found !== undefined && onlyLeftovers(table, found.contents))
    return { family: table.family, state: inSync ? 'in sync' : found === undefined ? 'absent' : 'drifted', metadata: found?.metadata }
  })
  return { ...together(tables), plan }
}

/** Compares the live tables with what the last apply left, as it noted it in them. */
export function statusSinceApply(live: Live, families: readonly Family[]): Status {
  const applied = new Map(Object.values(live).flatMap(({ metadata }) => (metadata?.contents ?? '').split(',').map(fingerprintEntry)))
  const tables = families
    .filter(family => live[family] !== undefined || applied.has(family))
    .map((family): TableStatus => {
      const found = live[family]
      if (found === undefined) return { family, state: 'absent', metadata: undefined }
      const known = applied.get(family)
      const state = known === undefined ? 'unknown' : known === fingerprint(found.contents) ? 'in sync' : 'drifted'
      return { family, state, metadata: found.metadata }
    })
  return { ...together(tables), plan: undefined }
}

function together(tables: readonly TableStatus[]): Pick<Status, 'state' | 'tables'> {
  if (tables.every(({ state }) => state === 'absent')) return { state: 'absent', tables }
  const worst = STATES.find(state => tables.some(table => table.state === state)) ?? 'absent'
  // One table of two is missing: that is not how apply leaves it.
  return { state: worst === 'absent' ? 'drifted' : worst, tables }
}

function fingerprintEntry(text: string): [Family, string] {
  const [family = '', value = ''] = text.split(':')
  return [family as Family, value]
}

/** Whether nothing is to be done but to delete chains that an old kernel had to keep (see `old-kernel.ts`). */
function onlyLeftovers({ operations }: TablePlan, { chains }: TableContents): boolean {
  return operations.every(({ verb, object }) => {
    if (verb === 'add' || object.kind !== 'chain') return false
    const body = chains.get(object.name)
    return body !== undefined && body.hook === undefined && body.rules.length === 0
  })
}
