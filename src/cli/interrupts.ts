import { Interrupted } from '../apply/interrupted.ts'
import { type Io, write } from './io.ts'

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Runs what must not be left in the middle: SIGINT and SIGTERM only abort a signal, which the work looks at between its steps. Returns its exit code, or the shell's
 * for a signal.
 */
export async function whileInterruptible(io: Io, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals): void => controller.abort(name)
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]
  for (const name of names) process.on(name, stop)
  try {
    return await work(controller.signal)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    await write(io.stderr, `error: ended by ${error.signal}\n    ${error.message}\n`)
    return SIGNALS[error.signal]
  } finally {
    for (const name of names) process.off(name, stop)
  }
}
