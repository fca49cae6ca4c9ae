import { compareDumps, readDumps } from '../compare/index.ts'
import { DiagnosticsError } from '../diagnostics.ts'
import { viewsOf } from '../model/views.ts'
import { LAYOUTS } from '../nft/layouts/index.ts'
import { type Io, usesColor, write } from './io.ts'
import { load } from './load.ts'
import { modeOf } from './modes/index.ts'
import type { NodeArguments } from './options.ts'
import { Reporter, renderDiagnostics } from './reporter.ts'
import { againstJsonView, againstTextView } from './views/against.ts'

export interface AgainstArguments extends NodeArguments {
  readonly explain: boolean
}

/** `diff --against`: holds saved dumps against what a snapshot asks for, prints how they differ, and returns the exit code of `diff`. */
export async function diffAgainst(
  snapshots: readonly string[],
  dumps: string,
  output: 'text' | 'json',
  args: AgainstArguments,
  io: Io,
): Promise<number> {
  if (dumps === '-' && snapshots.includes('-'))
    throw new DiagnosticsError([
      {
        severity: 'error',
        summary: 'the snapshot and the dump cannot both come from standard input',
        detail: 'Save one of them to a file.',
      },
    ])
  const reporter = new Reporter(args.strict)
  const { snapshot, nodes } = await load(snapshots, args, io, reporter.report)
  const found = await readDumps(dumps, io.stdin)
  const comparison = compareDumps({
    mode: args.mode,
    layout: LAYOUTS[args.layout],
    nodes,
    viewsOf: node => viewsOf(snapshot, node, reporter.report),
    found,
  })
  await write(io.stderr, renderDiagnostics(reporter.check(), usesColor(args.color, io.stderr, io.env)))
  const view = { mode: modeOf(args), comparison, explain: args.explain }
  await write(io.stdout, output === 'json' ? againstJsonView(view) : againstTextView(view, usesColor(args.color, io.stdout, io.env)))
  return comparison.families.some(({ differences }) => differences.length > 0) ? 1 : 0
}
