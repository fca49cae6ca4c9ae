import type { Argv } from 'yargs'
import { LAYOUTS } from '../../nft/layouts/index.ts'
import { readConfiguration, readHostFacts, readSnapshot } from '../../snapshot/index.ts'
import { compare, type DifferenceInput, difference } from '../difference.ts'
import { usesColor, write } from '../io.ts'
import { type Command, NODE_OPTIONS, type NodeArguments } from '../options.ts'
import { Reporter, renderDiagnostics } from '../reporter.ts'
import { jsonView, nftView, statView, unifiedView } from '../views/diff.ts'

type Arguments = NodeArguments & { old: string; new: string; output: 'nft' | 'unified' | 'stat' | 'json'; explain: boolean }

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
          choices: ['nft', 'unified', 'stat', 'json'] as const,
          default: 'nft' as const,
          describe: 'nft: the transaction; unified: a diff of the full texts; stat: how much it is, beside other ways; json: all of it',
        },
        explain: { type: 'boolean', default: false, describe: 'Say why each command is there' },
      }) as Argv<Arguments>,
  run: async (args, io) => {
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
    const result = difference(LAYOUTS[args.layout], input)
    await write(io.stderr, renderDiagnostics(reporter.check(), usesColor(args.color, io.stderr, io.env)))
    const views = {
      nft: () => nftView(result, args.explain),
      unified: () => unifiedView(result, usesColor(args.color, io.stdout, io.env)),
      stat: () => statView(result, compare(input, result)),
      json: () => jsonView(result, compare(input, result)),
    }
    await write(io.stdout, views[args.output]())
    return result.transactions.some(({ operations }) => operations.length > 0) ? 1 : 0
  },
}
