import type { Argv } from 'yargs'
import type { Family } from '../../address.ts'
import { hostRun } from '../../apply/preflight/run.ts'
import { preflight as look, type PreflightInput, refuses } from '../../apply/preflight.ts'
import { viewsOf } from '../../model/views.ts'
import { LAYOUTS } from '../../nft/layouts/index.ts'
import { fullFragment } from '../../nft/render.ts'
import { type Io, usesColor, write } from '../io.ts'
import { load } from '../load.ts'
import { type Command, FILES_OPTION, NODE_OPTIONS, type NodeArguments } from '../options.ts'
import { Reporter, renderDiagnostics } from '../reporter.ts'
import { findingsJson, findingsText } from '../views/preflight.ts'

type Arguments = Omit<NodeArguments, 'mode'> & {
  filename: string[] | undefined
  netns: string | undefined
  alongside: boolean
  output: 'text' | 'json'
}

const { mode: _, ...OPTIONS } = NODE_OPTIONS

export const preflight: Command<Arguments> = {
  command: 'preflight',
  describe: 'Check whether this host can take the rules; exits 2 when it must not',
  builder: yargs =>
    yargs.options({
      filename: { ...FILES_OPTION.filename, demandOption: false, describe: 'Snapshot: check only what its rules need (repeatable)' },
      ...OPTIONS,
      netns: { type: 'string', requiresArg: true, describe: 'Network namespace: a name that ip netns knows, or a path' },
      alongside: { type: 'boolean', default: false, describe: 'Only warn of rules of another kube-proxy' },
      output: { alias: 'o', choices: ['text', 'json'] as const, default: 'text' as const, describe: 'Form of the findings' },
    }) as Argv<Arguments>,
  run: async (args, io) => {
    const reporter = new Reporter(args.strict)
    const wanted = args.filename === undefined ? everything(args) : await ofSnapshot(args.filename, args, io, reporter)
    await write(io.stderr, renderDiagnostics(reporter.check(), usesColor(args.color, io.stderr, io.env)))
    const findings = await look({ run: hostRun({ netns: args.netns }), alongside: args.alongside, ...wanted })
    await write(
      io.stdout,
      args.output === 'json' ? findingsJson(findings) : findingsText(findings, usesColor(args.color, io.stdout, io.env)),
    )
    return refuses(findings) || (args.strict && findings.some(({ severity }) => severity === 'warning')) ? 2 : 0
  },
}

type Wanted = Pick<PreflightInput, 'rulesets' | 'nodes'>

/** Without a snapshot: all that rules may need. */
function everything({ family, layout }: Arguments): Wanted {
  const families: readonly Family[] = family === undefined ? ['ipv4', 'ipv6'] : [family]
  const { table } = LAYOUTS[layout]
  return {
    rulesets: families.map(each => ({ family: each, table })),
    nodes: families.map(each => ({ family: each, localDetector: { kind: 'none' } })),
  }
}

async function ofSnapshot(files: readonly string[], args: Arguments, io: Io, { report }: Reporter): Promise<Wanted> {
  const { snapshot, nodes } = await load(files, args, io, report)
  const layout = LAYOUTS[args.layout]
  const rulesets = nodes.map(node => ({
    family: node.family,
    table: layout.table,
    fragment: fullFragment(layout, node, viewsOf(snapshot, node, report)),
  }))
  return { rulesets, nodes }
}
