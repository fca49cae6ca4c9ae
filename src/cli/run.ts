import { distance } from 'fastest-levenshtein'
import yargs, { type Argv } from 'yargs'
import { DiagnosticsError } from '../diagnostics.ts'
import { COMMANDS } from './commands/index.ts'
import { type Io, usesColor, write } from './io.ts'
import { COMMON_OPTIONS, type CommonArguments } from './options.ts'
import { renderDiagnostics } from './reporter.ts'
import { VERSION } from './version.ts'

/** A command line that cannot be understood. */
class UsageError extends Error {}

/** Farthest spelling that is still offered as what was meant. */
const SUGGESTION_DISTANCE = 3

/**
 * Runs one command line and returns its exit code: 0 done (or same, for diff), 1 different, 2 error.
 * @throws only a stream's own errors, such as EPIPE.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0
  let color: CommonArguments['color'] = 'auto'
  const parser = yargs([...argv])
    .scriptName('kubenft')
    .version(VERSION)
    .options(COMMON_OPTIONS) as Argv<CommonArguments>
  for (const { command, describe, builder, run: execute } of COMMANDS) {
    const build = builder as (y: Argv<CommonArguments>) => Argv<CommonArguments>
    parser.command(
      command,
      describe,
      yargs => withEnvironment(build(yargs), io.env),
      async args => {
        color = args.color
        exitCode = await (execute as (args: CommonArguments, io: Io) => Promise<number>)(args, io)
      },
    )
  }
  parser
    .strict()
    .recommendCommands()
    .demandCommand(1, 'Say what to do: a command is missing.')
    .parserConfiguration({ 'duplicate-arguments-array': true, 'greedy-arrays': false })
    .help()
    .alias('help', 'h')
    .wrap(null)
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw error === undefined || error.name === 'YError' ? new UsageError(withSuggestion(message ?? error?.message, parser)) : error
    })
  try {
    let output = ''
    await parser.parseAsync([...argv], {}, (_error, _args, text) => {
      output = text
    })
    if (output !== '') await write(io.stdout, `${output}\n`)
    return exitCode
  } catch (error) {
    if (error instanceof DiagnosticsError) {
      await write(io.stderr, renderDiagnostics(error.diagnostics, usesColor(color, io.stderr, io.env)))
      return 2
    }
    if (error instanceof UsageError) {
      await write(io.stderr, `error: ${error.message}\n    See kubenft --help, or kubenft COMMAND --help.\n`)
      return 2
    }
    throw error
  }
}

/**
 * Options from the environment: `--dry-run` is KUBENFT_DRY_RUN. Flags go before them. Only the command's own options count: Kubernetes itself
 * sets variables such as KUBENFT_PORT in pods beside a Service of that name.
 */
function withEnvironment(parser: Argv<CommonArguments>, env: Io['env']): Argv<CommonArguments> {
  const given = optionNames(parser).flatMap(name => {
    const value = env[`KUBENFT_${name.replaceAll('-', '_').toUpperCase()}`]
    return value === undefined ? [] : [[name, value] as const]
  })
  return parser.config(Object.fromEntries(given))
}

function optionNames(parser: Argv): string[] {
  return Object.keys((parser as unknown as { getOptions(): { key: Record<string, unknown> } }).getOptions().key)
}

/** yargs suggests commands but not flags. */
function withSuggestion(message: string, instance: Argv): string {
  const unknown = /^Unknown arguments?: (.*)$/.exec(message)?.[1]?.split(', ')[0]
  if (unknown === undefined) return message
  const nearest = optionNames(instance)
    .map(name => ({ name, distance: distance(unknown, name) }))
    .sort((a, b) => a.distance - b.distance)[0]
  return nearest !== undefined && nearest.distance <= SUGGESTION_DISTANCE ? `${message}\n    Did you mean --${nearest.name}?` : message
}
