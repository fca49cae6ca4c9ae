import { write } from '../io.ts'
import type { Command, CommonArguments } from '../options.ts'
import { VERSION } from '../version.ts'

export const version: Command<CommonArguments & { output: 'text' | 'json' }> = {
  command: 'version',
  describe: 'Print the version',
  builder: yargs =>
    yargs.option('output', { alias: 'o', choices: ['text', 'json'] as const, default: 'text' as const, describe: 'Form of the output' }),
  async run({ output }, io) {
    const text =
      output === 'json'
        ? JSON.stringify({ apiVersion: 'kubenft/v1', kind: 'Version', version: VERSION, node: process.version })
        : `kubenft ${VERSION}`
    await write(io.stdout, `${text}\n`)
    return 0
  },
}
