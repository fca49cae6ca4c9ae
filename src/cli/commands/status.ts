import { release } from 'node:os'
import type { Argv } from 'yargs'
import { readLive } from '../../apply/live.ts'
import { Nft } from '../../apply/nft/nft.ts'
import { systemNft } from '../../apply/nft/program.ts'
import { unreadable } from '../../apply/problems.ts'
import { snapshotPlanner } from '../../apply/snapshot-plan.ts'
import { statusAgainst, statusSinceApply } from '../../apply/status.ts'
import { LAYOUTS } from '../../nft/layouts/index.ts'
import { loadGoal } from '../goal.ts'
import { APPLIED_NODE_OPTIONS, type AppliedNodeArguments, familiesOf, HOST_OPTIONS } from '../host-options.ts'
import { usesColor, write } from '../io.ts'
import { type Command, type CommonArguments, FILES_OPTION } from '../options.ts'
import { Reporter, renderDiagnostics } from '../reporter.ts'
import { statusJSON, statusText } from '../views/status.ts'

type Arguments = AppliedNodeArguments & CommonArguments & { filename: string[] | undefined; output: 'text' | 'json' }

export const status: Command<Arguments> = {
  command: 'status',
  describe: 'Tell whether the rules on this host are as applied, or as a snapshot asks for; exits 1 when they are not',
  builder: yargs =>
    yargs.options({
      filename: {
        ...FILES_OPTION.filename,
        demandOption: false,
        describe: 'Snapshot to compare with (repeatable); by default what the last apply left',
      },
      ...APPLIED_NODE_OPTIONS,
      ...HOST_OPTIONS,
      output: { alias: 'o', choices: ['text', 'json'] as const, default: 'text' as const, describe: 'Form of the output' },
    }) as unknown as Argv<Arguments>,
  run: async (args, io) => {
    const reporter = new Reporter(args.strict)
    const goal =
      args.filename === undefined ? undefined : await loadGoal(args.filename, args, io, { report: reporter.report, kernel: release() })
    const { table } = LAYOUTS[args.layout]
    const families = familiesOf(args)
    const read = await readLive(new Nft(systemNft({ netns: args.netns })), table, families)
    if (!read.ok) throw unreadable(read.failure)
    const found = goal === undefined ? statusSinceApply(read.value, families) : statusAgainst(read.value, snapshotPlanner(goal))
    await write(io.stderr, renderDiagnostics(reporter.check(), usesColor(args.color, io.stderr, io.env)))
    await write(io.stdout, args.output === 'json' ? statusJSON(found, table) : statusText(found, table))
    return found.state === 'in sync' ? 0 : 1
  },
}
