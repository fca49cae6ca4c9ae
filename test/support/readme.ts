import { kubenft } from './command.ts'

/** A fenced block that starts with `$ kubenft …`: the command line and the output shown below it. */
export interface Example {
  readonly command: string
  readonly output: string
}

const BLOCK = /```\n\$ (kubenft [^\n]*)\n([^`]+?)```\n/g

export function examples(readme: string): Example[] {
  return [...readme.matchAll(BLOCK)].map(([, command = '', output = '']) => ({ command, output }))
}

/** What a command prints: standard error before standard output, cut by `| head -N` or `| grep TEXT`. */
export async function outputOf(command: string): Promise<string> {
  const [words = '', filter = ''] = command.split(' | ')
  const { stdout, stderr } = await kubenft(words.split(' ').slice(1))
  const lines = `${stderr}${stdout}`.split('\n').slice(0, -1)
  const [program, argument = ''] = filter.split(' ')
  const kept =
    program === 'head'
      ? lines.slice(0, Math.abs(Number(argument)))
      : program === 'grep'
        ? lines.filter(line => line.includes(argument))
        : lines
  return `${kept.join('\n')}\n`
}

export async function withOutput(readme: string, { command, output }: Example): Promise<string> {
  return readme.replace(`$ ${command}\n${output}`, `$ ${command}\n${(await outputOf(command)).replaceAll('$', '$$$$')}`)
}
