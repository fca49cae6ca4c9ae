import type { ApplyOptions } from './apply.ts'
import { type Live, readLive } from './live.ts'
import { isEmpty, type Plan, scriptOf } from './plan.ts'
import { refused, unreadable } from './problems.ts'

export interface DryRunOptions extends Pick<ApplyOptions, 'nft' | 'table' | 'families' | 'planner' | 'stopwatch'> {
  /** Whether the kernel looks at the script. */
  readonly server: boolean
}

/** What an apply would do now. Changes nothing. @throws DiagnosticsError when the tables cannot be read, or the kernel would refuse the script */
export async function dryRun(options: DryRunOptions): Promise<{ readonly plan: Plan; readonly live: Live; readonly script: string }> {
  const { nft, table, families, planner, stopwatch, server } = options
  const read = await stopwatch.time('read', () => readLive(nft, table, families))
  if (!read.ok) throw unreadable(read.failure)
  const planned = await stopwatch.time('snapshot', planner)
  const plan = await stopwatch.time('plan', () => planned(read.value))
  const script = scriptOf(plan, read.value)
  if (server && !isEmpty(plan)) {
    const checked = await stopwatch.time('check', () => nft.check(script))
    if (!checked.ok) throw refused(checked.failure, plan, script, 'Nothing was changed: this was a dry run.')
  }
  return { plan, live: read.value, script }
}
