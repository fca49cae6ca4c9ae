import type { Argv } from 'yargs'
import { DiagnosticsError } from '../../diagnostics.ts'
import { readConfiguration, readHostFacts, readSnapshot } from '../../snapshot/index.ts'
import { compare, type DifferenceInput, difference } from '../difference.ts'
import { usesColor, write } from '../io.ts'
import { modeOf } from '../modes/index.ts'
import { type Command, NODE_OPTIONS, type NodeArguments } from '../options.ts'
import { Reporter, renderDiagnostics } from '../reporter.ts'
import { commandsView, jsonView, statView, unifiedView } from '../views/diff.ts'

const OUTPUTS = ['nft', 'restore', 'commands', 'unified', 'stat', 'json'] as const

type Arguments = NodeArguments & { old: string; new: string; output: (typeof OUTPUTS)[number] | undefined; explain: boolean }

export const diff: Command<Arguments> = {
  command: 'diff <old> <new>',
  describe: 'Print the smallest change from one snapshot’s rules to another’s; exits 1 when they differ',
  builder: yargs =>
    yargs
      .positional('old', { type: 'string', demandOption: true, describe: 'Snapshot before: file, folder or -' })
      .positional('new', { type: 'string', demandOption: true, describe: 'Snapshot after: file, folder or -' })
      .options({
        ...NODE_OPTIONS,
        output: {
          alias: 'o',
          choices: OUTPUTS,
          describe:
            'The change for its tool (nft, restore: iptables-restore, commands: ipvsadm, ipset and ip); unified: a diff of the full texts; stat: how much it is, beside other ways; json: all of it',
        },
        explain: { type: 'boolean', default: false, describe: 'Say why each command is there' },
      }) as Argv<Arguments>,
  run: async (args, io) => {
    const mode = modeOf(args)
    const output = args.output ?? mode.output
    if ((output === 'nft' || output === 'restore' || output === 'commands') && output !== mode.output)
      throw new DiagnosticsError([
        {
          severity: 'error',
          summary: `mode ${mode.name} has no output "${output}"`,
          detail: `Its change is printed with -o ${mode.output}.`,
        },
      ])
    const reporter = new Reporter(args.strict)
    const options = { report: reporter.report, stdin: io.stdin }
    const input: DifferenceInput = {
      before: (await readSnapshot([args.old], options)).snapshot,
      after: (await readSnapshot([args.new], options)).snapshot,
      configuration: args.config === undefined ? undefined : await readConfiguration(args.config, options),
      host: args.host === undefined ? undefined : await readHostFacts(args.host, options),
      nodeName: args.node,
      family: args.family,
      report: reporter.report,
    }
    const result = difference(mode, input)
    await write(io.stderr, renderDiagnostics(reporter.check(), usesColor(args.color, io.stderr, io.env)))
    const views = {
      [mode.output]: () => commandsView(result, args.explain),
      unified: () => unifiedView(result, usesColor(args.color, io.stdout, io.env)),
      stat: () => statView(result, compare(input, result)),
      json: () => jsonView(result, compare(input, result)),
    }
    await write(io.stdout, views[output]?.() ?? '')
    return result.commits.some(({ operations }) => operations.length > 0) ? 1 : 0
  },
}
