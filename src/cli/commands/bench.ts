import type { Argv, InferredOptionTypes, Options } from 'yargs'
import { Interrupted } from '../../apply/interrupted.ts'
import { CANDIDATE_NAMES, runBench } from '../../bench/index.ts'
import { whileInterruptible } from '../interrupts.ts'
import { usesColor } from '../io.ts'
import type { Command, CommonArguments } from '../options.ts'

/** `1000,5000`; a flag that is repeated adds to the list. */
const list = (value: string | readonly string[]): string[] => [value].flat().flatMap(text => text.split(','))

const OPTIONS = {
  services: {
    type: 'string',
    requiresArg: true,
    default: '1000,5000,10000',
    coerce: (value: string | string[]) => list(value).map(Number),
    describe: 'Numbers of services, with commas between them',
  },
  endpoints: { type: 'number', requiresArg: true, default: 3, describe: 'Endpoints of each service' },
  layouts: {
    type: 'string',
    requiresArg: true,
    coerce: (value: string | string[] | undefined) => (value === undefined ? undefined : list(value)),
    describe: `What to measure, with commas: ${CANDIDATE_NAMES.join(', ')}; by default all that are installed`,
  },
  large: { type: 'boolean', default: false, describe: 'Also 44,000 services with one endpoint each' },
  budget: {
    type: 'number',
    requiresArg: true,
    default: 60,
    describe: 'Seconds for one measurement of one layout; what takes longer is stopped',
  },
  rounds: { type: 'number', requiresArg: true, default: 3, describe: 'How often the layouts take turns' },
  samples: { type: 'number', requiresArg: true, default: 102, describe: 'Updates of each kind, in all rounds together' },
  html: { type: 'string', requiresArg: true, describe: 'Write a page with charts into this file' },
  baseline: { type: 'string', requiresArg: true, describe: 'Earlier report (-o json) to compare with' },
  output: { alias: 'o', choices: ['text', 'json'] as const, default: 'text' as const, describe: 'Form of the report' },
} satisfies Record<string, Options>

type Arguments = InferredOptionTypes<typeof OPTIONS> & CommonArguments

export const bench: Command<Arguments> = {
  command: 'bench',
  describe: 'Measure what each layout costs on this kernel, in throwaway network namespaces',
  builder: yargs => yargs.options(OPTIONS) as unknown as Argv<Arguments>,
  run: ({ services, endpoints, layouts, large, budget, rounds, samples, html, baseline, output, color }, io) =>
    whileInterruptible(io, async signal => {
      const given = { ...(layouts && { layouts }), ...(html && { html }), ...(baseline && { baseline }) }
      const options = { services, endpoints, large, budget, rounds, samples, output, color: usesColor(color, io.stdout, io.env), ...given }
      try {
        return await runBench(options, { stdout: io.stdout, stderr: io.stderr, signal })
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw new Interrupted(signal.reason, 'Nothing of it was left behind.')
        throw error
      }
    }),
}
