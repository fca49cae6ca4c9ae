import { createInterface } from 'node:readline/promises'
import { Interrupted } from '../apply/interrupted.ts'
import { DiagnosticsError } from '../diagnostics.ts'
import type { Io } from './io.ts'

interface Asking {
  readonly io: Io
  /** Whether standard input holds something else, such as a snapshot. */
  readonly stdinIsTaken: boolean
  readonly signal: AbortSignal
}

/**
 * Asks the user at the terminal.
 * @throws DiagnosticsError when there is no terminal, and Interrupted when the answer is an interrupt
 */
export async function askWhetherTo(verb: 'Apply' | 'Delete', { io, stdinIsTaken, signal }: Asking): Promise<boolean> {
  const isTerminal = (io.stdin as { readonly isTTY?: boolean }).isTTY === true && io.stderr.isTTY === true
  if (!isTerminal || stdinIsTaken) {
    throw new DiagnosticsError([
      {
        severity: 'error',
        summary: 'there is nobody at a terminal to ask',
        detail: `Nothing was changed. Say --yes to go on without asking${verb === 'Apply' ? ', or --save-plan FILE to review the plan first' : ''}.`,
      },
    ])
  }
  const readline = createInterface({ input: io.stdin, output: io.stderr })
  // While it reads a terminal, an interrupt is a key like any other.
  const interrupted = new Promise<never>((_, reject) =>
    readline.on('SIGINT', () => reject(new Interrupted('SIGINT', 'Nothing was changed.'))),
  )
  try {
    return /^y(es)?$/i.test((await Promise.race([readline.question(`${verb}? [y/N] `, { signal }), interrupted])).trim())
  } catch (error) {
    Interrupted.check(signal)
    throw error
  } finally {
    readline.close()
  }
}
