import { execa } from 'execa'
import { namespacePath } from '../nft/program.ts'

/** How a program ended. `code` is as a shell has it: 127 when there is no such program, 126 when it may not be run; null when a signal ended it. */
export interface RunResult {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end on the host, or in one of its network namespaces. Never rejects: a program that is missing is a result too. */
export type Run = (command: string, args: readonly string[], options?: { readonly input?: string }) => Promise<RunResult>

export interface HostOptions {
  /** Network namespace: a name that `ip netns` knows, or the path of a namespace file; this process's own unless given. */
  readonly netns?: string | undefined
  /** Variables on top of this process's. */
  readonly env?: Readonly<Record<string, string>>
}

/** Exit codes of a shell for a program that could not be started. */
const NOT_STARTED: Readonly<Record<string, number>> = { ENOENT: 127, EACCES: 126 }
/** A conntrack table of a million flows is 150 MB of text. */
const MAX_BUFFER = 1 << 29

/** Runs programs with execa; inside a namespace by way of `nsenter`, whose exit codes are a shell's. */
export function hostRun({ netns, env }: HostOptions = {}): Run {
  const enter = netns === undefined ? [] : ['nsenter', `--net=${namespacePath(netns)}`, '--']
  return async (command, args, { input = '' } = {}) => {
    const [program = command, ...rest] = [...enter, command, ...args]
    const result = await execa(program, rest, {
      input,
      reject: false,
      stripFinalNewline: false,
      maxBuffer: MAX_BUFFER,
      env: { LC_ALL: 'C', ...env },
    })
    const code = result.exitCode ?? NOT_STARTED[result.code ?? ''] ?? null
    return { code, signal: result.signal ?? null, stdout: result.stdout, stderr: result.stderr || (result.shortMessage ?? '') }
  }
}
