import type { Argv } from 'yargs'
import { DiagnosticsError } from '../../diagnostics.ts'
import { readConfiguration, readHostFacts, readSnapshot } from '../../snapshot/index.ts'
import { diffAgainst } from '../against.ts'
import { compare, type DifferenceInput, difference } from '../difference.ts'
import { usesColor, write } from '../io.ts'
import { modeOf } from '../modes/index.ts'
import { type Command, FILES_OPTION, NODE_OPTIONS, type NodeArguments } from '../options.ts'
import { Reporter, renderDiagnostics } from '../reporter.ts'
import { commandsView, jsonView, statView, unifiedView } from '../views/diff.ts'

const OUTPUTS = ['nft', 'restore', 'commands', 'unified', 'stat', 'text', 'json'] as const

type Arguments = NodeArguments & {
  old: string | undefined
  new: string | undefined
  filename: string[] | undefined
  against: string | undefined
  output: (typeof OUTPUTS)[number] | undefined
  explain: boolean
}

export const diff: Command<Arguments> = {
  command: 'diff [old] [new]',
  describe: 'Print the smallest change from one snapshot’s rules to another’s, or how a live dump differs; exits 1 when they differ',
  builder: yargs =>
    yargs
      .usage('kubenft diff OLD NEW\nkubenft diff SNAPSHOT --against DUMP')
      .positional('old', { type: 'string', describe: 'Snapshot before: file, folder or -; with --against the only one' })
      .positional('new', { type: 'string', describe: 'Snapshot after: file, folder or -' })
      // Else yargs takes "-" for an empty value.
      .nargs({ old: 1, new: 1 })
      .options({
        ...NODE_OPTIONS,
        against: {
          type: 'string',
          requiresArg: true,
          describe:
            'Dump of the node’s live rules to hold against the snapshot, file, folder or -: what nft list table (also with -j), iptables-save, ipvsadm -Sn, ipset save, ip -o addr show kube-ipvs0 print',
        },
        filename: { ...FILES_OPTION.filename, demandOption: false, describe: 'Snapshot for --against (repeatable)' },
        output: {
          alias: 'o',
          choices: OUTPUTS,
          describe:
            'The change for its tool (nft, restore: iptables-restore, commands: ipvsadm, ipset and ip); unified: a diff of the full texts; stat: how much it is, beside other ways; json: all of it. With --against: text or json',
        },
        explain: { type: 'boolean', default: false, describe: 'Say why each command is there; with --against, what each object is for' },
      }) as Argv<Arguments>,
  run: async (args, io) => {
    if (args.against !== undefined) {
      const output = args.output ?? 'text'
      if (output !== 'text' && output !== 'json')
        throw wrongCommandLine(`--against has no output "${output}"`, 'Its comparison is printed with -o text or -o json.')
      return diffAgainst(snapshotsOf(args), args.against, output, args, io)
    }
    const { old: oldSnapshot, new: newSnapshot } = args
    if (args.filename !== undefined) throw wrongCommandLine('-f is for --against', 'Name the two snapshots: kubenft diff OLD NEW.')
    if (oldSnapshot === undefined || newSnapshot === undefined)
      throw wrongCommandLine(
        oldSnapshot === undefined ? 'there is no snapshot' : 'there is only one snapshot',
        'Name two, kubenft diff OLD NEW, or one and a dump of live rules, kubenft diff SNAPSHOT --against DUMP.',
      )
    const mode = modeOf(args)
    const output = args.output ?? mode.output
    if ((output === 'nft' || output === 'restore' || output === 'commands' || output === 'text') && output !== mode.output)
      throw wrongCommandLine(`mode ${mode.name} has no output "${output}"`, `Its change is printed with -o ${mode.output}.`)
    const reporter = new Reporter(args.strict)
    const options = { report: reporter.report, stdin: io.stdin }
    const input: DifferenceInput = {
      before: (await readSnapshot([oldSnapshot], options)).snapshot,
      after: (await readSnapshot([newSnapshot], options)).snapshot,
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

/** The snapshot that a dump is held against: the one named alone, or those with `-f`. */
function snapshotsOf({ old: named, new: second, filename = [] }: Arguments): readonly string[] {
  if (second !== undefined)
    throw wrongCommandLine(
      'two snapshots and --against do not go together',
      'Compare the dump with one of them (kubenft diff SNAPSHOT --against DUMP), or leave --against out.',
    )
  if (named !== undefined && filename.length > 0)
    throw wrongCommandLine('the snapshot is named twice, alone and with -f', 'Name all its files with -f.')
  if (named === undefined && filename.length === 0)
    throw wrongCommandLine('there is no snapshot', 'Name it: kubenft diff SNAPSHOT --against DUMP.')
  return named === undefined ? filename : [named]
}

function wrongCommandLine(summary: string, detail: string): DiagnosticsError {
  return new DiagnosticsError([{ severity: 'error', summary, detail }])
}
