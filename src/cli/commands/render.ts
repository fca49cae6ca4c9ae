import type { Argv } from 'yargs'
import { DiagnosticsError } from '../../diagnostics.ts'
import { writeFiles } from '../files.ts'
import { usesColor, write } from '../io.ts'
import { load } from '../load.ts'
import { modeOf } from '../modes/index.ts'
import { type Command, FILES_OPTION, NODE_OPTIONS, type NodeArguments } from '../options.ts'
import { familiesOf, type Part, renderJsonParts, renderParts } from '../rendering.ts'
import { Reporter, renderDiagnostics } from '../reporter.ts'

type Arguments = NodeArguments & { filename: string[]; output: 'text' | 'json'; out: string | undefined; part: string | undefined }

export const render: Command<Arguments> = {
  command: 'render',
  describe: 'Print the rules of one node for a snapshot',
  builder: yargs =>
    yargs.options({
      ...FILES_OPTION,
      ...NODE_OPTIONS,
      output: {
        alias: 'o',
        choices: ['text', 'json'] as const,
        default: 'text' as const,
        describe:
          'text: what the tool loads; json: nft’s JSON form (layout maps: for nft 1.1.2 or later), or the texts of the other modes by name',
      },
      out: { type: 'string', requiresArg: true, describe: 'Write a file for each family and tool into this folder' },
      part: {
        type: 'string',
        requiresArg: true,
        describe: 'Only the text for this tool, where a mode has several: ipvsadm, ipset, iptables, addresses',
      },
    }) as Argv<Arguments>,
  run: async (args, io) => {
    const reporter = new Reporter(args.strict)
    const { snapshot, nodes } = await load(args.filename, args, io, reporter.report)
    const mode = modeOf(args)
    const families = familiesOf(snapshot, nodes, reporter.report)
    await write(io.stderr, renderDiagnostics(reporter.check(), usesColor(args.color, io.stderr, io.env)))
    const asJson = args.output === 'json'
    if (args.out !== undefined) {
      const parts = asJson ? renderJsonParts(mode, families) : renderParts(mode, families)
      await writeFiles(args.out, new Map(parts.map(({ family, part, text }) => [`${family}.${part}`, text])))
    } else await write(io.stdout, asJson ? mode.json(families) : onOneStream(renderParts(mode, families), args))
    return 0
  },
}

/** @throws DiagnosticsError when texts for different tools would end up in one stream. */
function onOneStream(all: readonly Part[], { mode, part }: Arguments): string {
  const parts = part === undefined ? all : all.filter(candidate => candidate.part === part)
  const known = [...new Set(all.map(candidate => candidate.part))]
  if (parts.length === 0 && part !== undefined && all.length > 0) {
    throw new DiagnosticsError([
      { severity: 'error', summary: `mode ${mode} has no part "${part}"`, detail: `Its parts: ${known.join(', ')}.` },
    ])
  }
  if (parts.length > 1 && mode !== 'nftables') {
    const choices = [...new Set(parts.map(({ family }) => family))].length > 1 ? ['--family'] : []
    if (new Set(parts.map(candidate => candidate.part)).size > 1) choices.push('--part')
    throw new DiagnosticsError([
      {
        severity: 'error',
        summary: `mode ${mode} has ${parts.length} texts for different tools, which cannot share one stream`,
        detail: `Choose one with ${choices.join(' and ')} (parts: ${known.join(', ')}), or write all of them into a folder with --out DIR.`,
      },
    ])
  }
  return parts.map(({ text }) => text).join('')
}
