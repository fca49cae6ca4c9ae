/** Turns SIGINT and SIGTERM into an aborted signal for as long as something must not be left in the middle. */
export async function whileInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals): void => controller.abort(name)
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}

/** As a shell has it: 128 and the signal's number. */
export function exitCodeOf(signal: string): number {
  return signal === 'SIGINT' ? 130 : 143
}
