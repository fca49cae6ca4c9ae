import type { Family } from '../address.ts'
import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'
import { type Mismatch, mismatches } from './compare.ts'
import type { ConntrackResult } from './conntrack.ts'
import { Interrupted } from './interrupted.ts'
import { type Live, readLive } from './live.ts'
import { describeFailure, mayPass } from './nft/failure.ts'
import type { OpenMonitor } from './nft/monitor.ts'
import type { Nft } from './nft/nft.ts'
import { isEmpty, type Plan, type PlannerSource, scriptOf } from './plan.ts'
import { different, refused, unreadable } from './problems.ts'
import { rollBack } from './rollback.ts'
import type { Phase, Stopwatch } from './stopwatch.ts'
import { Witness } from './witness.ts'

export interface ApplyOptions {
  readonly nft: Nft
  /** Name of the table, and the families in which it is looked at. */
  readonly table: string
  readonly families: readonly Family[]
  readonly planner: PlannerSource
  /** What the kernel tells of changes: makes reading back cheap. */
  readonly openMonitor: OpenMonitor
  /** Takes the lock and returns what releases it. */
  readonly lock: () => () => void
  /** Looks at the machine. Called with no plan when the tables cannot be read. @throws DiagnosticsError when it must not go on. */
  readonly preflight: (plan: Plan | undefined) => Promise<void>
  /** Whether to go on; called for every plan that has something to do. */
  readonly confirm: (plan: Plan, live: Live) => Promise<boolean>
  /** Called once the rules are in place. */
  readonly conntrack: (plan: Plan) => Promise<ConntrackResult | undefined>
  /** Whether to go back to the table as it was when the new one is not as asked. */
  readonly rollback: boolean
  /** Aborted, with the signal's name as the reason, when somebody asks this process to stop. */
  readonly signal: AbortSignal
  readonly stopwatch: Stopwatch
}

export interface Applied {
  readonly outcome: 'applied' | 'unchanged' | 'declined'
  readonly plan: Plan
  readonly phases: readonly Phase[]
  readonly conntrack: ConntrackResult | undefined
  /** How it is known that the tables hold what was asked for: read back, or by the kernel's own account of the change (see `witness.ts`). */
  readonly proof: 'read back' | 'monitor' | undefined
  /** 2 when the table changed under the first try. */
  readonly tries: number
  readonly warnings: readonly Diagnostic[]
}

const TRIES = 2

/**
 * Brings our tables to what is planned, in one transaction, and proves it: they are read back, or the kernel's own account says that they hold just that (`witness.ts`). Whatever happens, the tables are the old ones or the new ones.
 *
 * @throws DiagnosticsError when the rules that were asked for are not in place; it says what is
 * @throws Interrupted when it was told to stop
 */
export async function apply(options: ApplyOptions): Promise<Applied> {
  const { stopwatch, lock } = options
  const release = await stopwatch.time('lock', lock)
  try {
    for (let tries = 1; ; tries++) {
      const result = await attempt(options, tries)
      if (result !== 'again') return result
    }
  } finally {
    release()
  }
}

async function attempt(options: ApplyOptions, tries: number): Promise<Applied | 'again'> {
  const witness = await options.stopwatch.time('watch', () => watch(options))
  try {
    return await witnessed(options, tries, witness)
  } finally {
    witness?.close()
  }
}

async function watch({ openMonitor, table, families }: ApplyOptions): Promise<Witness | undefined> {
  const monitor = await openMonitor()
  return (
    monitor &&
    new Witness(
      monitor,
      families.map(family => ({ family, table })),
    )
  )
}

async function witnessed(options: ApplyOptions, tries: number, witness: Witness | undefined): Promise<Applied | 'again'> {
  const { nft, preflight, confirm, signal, stopwatch } = options
  const reading = readOrExplain(options)
  // It is awaited below: what is wrong with the snapshot is told first.
  reading.catch(() => {})
  const planner = await stopwatch.time('snapshot', options.planner)
  const live = await stopwatch.time('read', () => reading)
  Interrupted.check(signal)
  const plan = await stopwatch.time('plan', () => planner(live))
  await stopwatch.time('preflight', () => preflight(plan))
  Interrupted.check(signal)
  const finished = (outcome: Applied['outcome'], more: Partial<Applied> = {}): Applied => ({
    outcome,
    plan,
    phases: stopwatch.phases,
    conntrack: undefined,
    proof: undefined,
    tries,
    warnings: [],
    ...more,
  })
  if (isEmpty(plan)) return finished('unchanged')
  if (!(await stopwatch.time('ask', () => confirm(plan, live)))) return finished('declined')
  const script = scriptOf(plan, live)
  Interrupted.check(signal)
  const checked = await stopwatch.time('check', () => nft.check(script))
  if (!checked.ok) {
    if (tries < TRIES && mayPass(checked.failure)) return 'again'
    throw refused(checked.failure, plan, script, 'Nothing was changed.')
  }
  Interrupted.check(signal)
  if (witness?.sawChange && tries < TRIES) return 'again'
  const vouched = witness?.accepts(script) === true
  const loaded = await stopwatch.time('run', () => nft.load(script))
  if (!loaded.ok && loaded.failure.why === 'refused') {
    if (tries < TRIES && mayPass(loaded.failure)) return 'again'
    throw refused(loaded.failure, plan, script, 'The table is as it was.')
  }
  if (loaded.ok) Interrupted.check(signal, 'The new rules are in place; they were not read back.')
  const warnings: Diagnostic[] = []
  const confirmed = vouched && loaded.ok && (await stopwatch.time('read back', () => witness.confirms(script)))
  if (!confirmed) {
    const wrong = await readBack(options, plan)
    if (!loaded.ok) {
      if (wrong.length > 0) throw refused(loaded.failure, plan, script, 'The new rules are not in place.')
      warnings.push({
        severity: 'warning',
        summary: `nft ended badly, after it had done all that was asked: ${describeFailure(loaded.failure)}`,
      })
    } else if (wrong.length > 0) throw await undo(options, plan, live, wrong)
  }
  const conntrack = await stopwatch.time('conntrack', () => options.conntrack(plan))
  return finished('applied', {
    proof: confirmed ? 'monitor' : 'read back',
    conntrack,
    warnings: [...warnings, ...(conntrack?.problems ?? [])],
  })
}

async function readOrExplain({ nft, table, families, preflight }: ApplyOptions): Promise<Live> {
  const read = await readLive(nft, table, families)
  if (read.ok) return read.value
  await preflight(undefined)
  throw unreadable(read.failure)
}

/** Where the kernel does not hold what the plan asked for. */
async function readBack({ nft, table, families, stopwatch }: ApplyOptions, plan: Plan): Promise<Mismatch[]> {
  const read = await stopwatch.time('read back', () => readLive(nft, table, families))
  if (!read.ok) {
    throw new DiagnosticsError([
      ...unreadable(read.failure).diagnostics.map(diagnostic => ({
        ...diagnostic,
        detail: 'nft took the transaction, but what it did is not known: see kubenft status.',
      })),
    ])
  }
  return stopwatch.time('compare', () =>
    plan.tables.flatMap(({ family, table: name, asked, deferred }): Mismatch[] => {
      const found = read.value[family]?.contents
      if (asked === undefined || found === undefined) {
        const word = (there: boolean): string => (there ? 'present' : 'absent')
        if ((asked === undefined) === (found === undefined)) return []
        return [{ object: `table ${name} (${family})`, asked: word(asked !== undefined), found: word(found !== undefined) }]
      }
      return mismatches(asked, found, deferred)
    }),
  )
}

async function undo(
  { nft, rollback, stopwatch }: ApplyOptions,
  plan: Plan,
  live: Live,
  wrong: readonly Mismatch[],
): Promise<DiagnosticsError> {
  if (!rollback) return different(wrong, 'It was left as it is (--no-rollback).')
  const back = await stopwatch.time('roll back', () => rollBack(nft, plan, live))
  return different(
    wrong,
    back.ok ? 'The table is again as it was before.' : 'Going back to the table as it was failed too: see kubenft status.',
  )
}
