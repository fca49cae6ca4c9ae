import { parseScript } from '../../nft/parse.ts'
import { printCommand, type TableName, tablePath } from '../../nft/print.ts'

/** One transaction of the kernel, as `nft monitor` tells of it. */
export interface Generation {
  /** Id of the process that asked for it. */
  readonly pid: number
  /** What it changed, a line each, as nft prints it. */
  readonly lines: readonly string[]
}

/** The transactions that are told of as a whole; the last one may still be coming in. */
export function generations(text: string): Generation[] {
  const found: Generation[] = []
  let lines: string[] = []
  for (const line of text.split('\n')) {
    const pid = /^# new generation \d+ by process (\d+) /.exec(line)?.[1]
    if (pid === undefined) lines.push(line)
    else {
      found.push({ pid: Number(pid), lines })
      lines = []
    }
  }
  return found
}

/** Whether a transaction changed one of these tables. */
export function touches({ lines }: Generation, tables: readonly TableName[]): boolean {
  return lines.some(line => tables.some(table => isAbout(line, table)))
}

function isAbout(line: string, table: TableName): boolean {
  return /^\w+ \w+ (\S+ \S+)/.exec(line)?.[1] === tablePath(table)
}

/** The commands of a transaction about one table, as kubenft prints them, sorted; undefined when there is something else than elements among them. */
export function elementCommands({ lines }: Generation, table: TableName): string[] | undefined {
  const own = lines.filter(line => isAbout(line, table))
  if (own.some(line => !/^(?:add|delete) element /.test(line))) return undefined
  try {
    return parseScript(`${own.join('\n')}\n`)
      .commands.map(command => printCommand(command, table))
      .sort()
  } catch {
    return undefined
  }
}
