import { readFile } from 'node:fs/promises'
import { release } from 'node:os'
import path from 'node:path'
import type { Argv } from 'yargs'
import type { Family } from '../../address.ts'
import { type Applied, apply as applyPlan } from '../../apply/apply.ts'
import { cleanConntrack } from '../../apply/conntrack.ts'
import { dryRun } from '../../apply/dry-run.ts'
import type { Live } from '../../apply/live.ts'
import { lockFileOf, takeLock } from '../../apply/lock.ts'
import { systemMonitor } from '../../apply/nft/monitor.ts'
import { Nft } from '../../apply/nft/nft.ts'
import { systemNft } from '../../apply/nft/program.ts'
import type { Plan, PlannerSource } from '../../apply/plan.ts'
import { hostRun } from '../../apply/preflight/run.ts'
import { preflight } from '../../apply/preflight.ts'
import { readSavedPlan, savePlan } from '../../apply/saved-plan.ts'
import { snapshotPlanner } from '../../apply/snapshot-plan.ts'
import { Stopwatch } from '../../apply/stopwatch.ts'
import { type Diagnostic, DiagnosticsError } from '../../diagnostics.ts'
import { LAYOUTS } from '../../nft/layouts/index.ts'
import type { Layout } from '../../nft/layouts/layout.ts'
import { askWhetherTo } from '../ask.ts'
import { writeFiles } from '../files.ts'
import { loadGoal } from '../goal.ts'
import {
  APPLIED_NODE_OPTIONS,
  type AppliedNodeArguments,
  familiesOf,
  HOST_OPTIONS,
  LOCK_OPTIONS,
  type LockArguments,
} from '../host-options.ts'
import { whileInterruptible } from '../interrupts.ts'
import { type Io, usesColor, write } from '../io.ts'
import { type Command, type CommonArguments, FILES_OPTION } from '../options.ts'
import { Progress } from '../progress.ts'
import { Reporter, renderDiagnostics } from '../reporter.ts'
import { appliedJSON, planView, summaryView } from '../views/apply.ts'

type Arguments = AppliedNodeArguments &
  LockArguments &
  CommonArguments & {
    plan: string | undefined
    filename: string[] | undefined
    dryRun: 'client' | 'server' | undefined
    savePlan: string | undefined
    rollback: boolean
    readBack: 'auto' | 'always'
    conntrack: boolean
    alongside: boolean
    explain: boolean
    output: 'text' | 'json'
  }

export const apply: Command<Arguments> = {
  command: 'apply [plan]',
  describe: 'Put the rules for a snapshot, or a saved plan, on this host in one transaction, and read them back',
  builder: yargs =>
    yargs.positional('plan', { type: 'string', describe: 'File of --save-plan: exactly that is done, or nothing' }).options({
      ...FILES_OPTION,
      filename: { ...FILES_OPTION.filename, demandOption: false },
      ...APPLIED_NODE_OPTIONS,
      ...HOST_OPTIONS,
      ...LOCK_OPTIONS,
      'dry-run': {
        type: 'string',
        choices: ['client', 'server'] as const,
        coerce: (value: string) => (value === '' ? 'client' : value),
        describe: 'client: print the script; server: print it and have the kernel check it',
      },
      'save-plan': { type: 'string', requiresArg: true, describe: 'Write the plan into this file and do nothing' },
      rollback: {
        type: 'boolean',
        default: true,
        describe: 'Go back to the table as it was when what is read back is not what was asked for',
      },
      'read-back': {
        choices: ['auto', 'always'] as const,
        default: 'auto' as const,
        describe: 'auto: where only elements change, the kernel’s own account of the change is proof enough',
      },
      conntrack: { type: 'boolean', default: true, describe: 'Forget UDP flows to endpoints that are gone' },
      alongside: { type: 'boolean', default: false, describe: 'Go on although rules of another service proxy are there' },
      explain: { type: 'boolean', default: false, describe: 'Say why each command is there' },
      output: { alias: 'o', choices: ['text', 'json'] as const, default: 'text' as const, describe: 'Form of the summary' },
    }) as unknown as Argv<Arguments>,
  run: (args, io) => whileInterruptible(io, signal => run(args, io, signal)),
}

async function run(args: Arguments, io: Io, signal: AbortSignal): Promise<number> {
  const reporter = new Reporter(args.strict)
  const progress = new Progress(io.stderr, args.output === 'text')
  const warn = (diagnostics: readonly Diagnostic[]): Promise<void> => {
    progress.clear()
    return write(io.stderr, renderDiagnostics(diagnostics, usesColor(args.color, io.stderr, io.env)))
  }
  const nft = new Nft(systemNft({ netns: args.netns }))
  const hostOptions = { netns: args.netns }
  try {
    const { layout, families, planner } = await sourceOf(args, io, reporter, warn)
    const common = { nft, table: layout.table, families, planner, signal, stopwatch: new Stopwatch(progress.start) }
    if (args.dryRun !== undefined || args.savePlan !== undefined) {
      const { script, plan, live } = await dryRun({ ...common, server: args.dryRun === 'server' })
      progress.clear()
      if (args.savePlan !== undefined) return await save(args.savePlan, plan, live, layout, io)
      await write(io.stdout, script)
      await write(io.stderr, planView(plan, false))
      return 0
    }
    const applied = await applyPlan({
      ...common,
      openMonitor: args.readBack === 'always' ? async () => undefined : systemMonitor(hostOptions),
      lock: () => takeLock(args.lockFile ?? lockFileOf(args.netns)),
      preflight: async plan => {
        const nodes = plan?.families.map(({ node }) => node) ?? []
        const rulesets = plan?.rulesets ?? families.map(family => ({ family, table: layout.table }))
        const findings = await preflight({ run: hostRun(hostOptions), rulesets, nodes, alongside: args.alongside })
        const problems = findings.flatMap(({ severity, what, why, action }): Diagnostic[] =>
          severity === 'ok' ? [] : [{ severity, summary: what, detail: [why, action].filter(Boolean).join(' ') }],
        )
        if (problems.some(({ severity }) => severity === 'error')) throw new DiagnosticsError(problems)
        await warn(problems)
      },
      confirm: async plan => {
        progress.clear()
        await write(io.stderr, planView(plan, args.explain))
        return args.yes || askWhetherTo('Apply', { io, stdinIsTaken: args.filename?.includes('-') === true, signal })
      },
      conntrack: async ({ families, tables }) => {
        if (!args.conntrack) return undefined
        // Services that are gone are only in the operations: the live table does not say what they were.
        const gone = (family: string) => tables.find(table => table.family === family)?.operations ?? []
        return cleanConntrack({
          run: hostRun(hostOptions),
          families: families.map(each => ({ ...each, operations: gone(each.node.family) })),
        })
      },
      rollback: args.rollback,
    })
    await warn(applied.warnings)
    await write(io.stdout, args.output === 'json' ? appliedJSON(applied, args.explain) : summaryView(applied))
    return exitCode(applied)
  } finally {
    progress.clear()
  }
}

function exitCode({ outcome }: Applied): number {
  return outcome === 'declined' ? 2 : 0
}

interface Source {
  readonly layout: Layout
  readonly families: readonly Family[]
  readonly planner: PlannerSource
}

/** A saved plan, or a snapshot, which is read while nft lists the table: on a large cluster both take seconds. */
async function sourceOf(
  args: Arguments,
  io: Io,
  reporter: Reporter,
  warn: (found: readonly Diagnostic[]) => Promise<void>,
): Promise<Source> {
  const { filename, plan } = args
  if ((filename === undefined) === (plan === undefined)) {
    const summary = plan === undefined ? 'say what to apply' : 'a plan says it all: -f does not go with it'
    throw new DiagnosticsError([{ severity: 'error', summary, detail: 'Either kubenft apply -f SNAPSHOT…, or kubenft apply PLAN.' }])
  }
  if (plan !== undefined) {
    const saved = readSavedPlan(await readPlanFile(plan), plan, () => new Date())
    return { ...saved, planner: async () => saved.planner }
  }
  const loading = loadGoal(filename ?? [], args, io, { report: reporter.report, kernel: release() }).then(async goal => {
    await warn(reporter.check())
    return goal
  })
  // It is awaited later, or not at all when something fails before that.
  loading.catch(() => {})
  return { layout: LAYOUTS[args.layout], families: familiesOf(args), planner: async () => snapshotPlanner(await loading) }
}

async function readPlanFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new DiagnosticsError([{ severity: 'error', place: { file }, summary: `cannot be read: ${(error as Error).message}` }])
  }
}

async function save(file: string, plan: Plan, live: Live, layout: Layout, io: Io): Promise<number> {
  await write(io.stderr, planView(plan, false))
  if (plan.metadata === undefined) return 0
  await writeFiles(path.dirname(file), new Map([[path.basename(file), `${JSON.stringify(savePlan(plan, live, layout), null, 2)}\n`]]))
  await write(io.stderr, `saved: kubenft apply ${file}\n`)
  return 0
}
