/** Somebody asked this process to stop. The kernel has the old rules or the new ones, as `message` says. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: 'SIGINT' | 'SIGTERM'

  constructor(signal: Interrupted['signal'], message: string) {
    super(message)
    this.signal = signal
  }

  static check(signal: AbortSignal, message = 'Nothing was changed.'): void {
    if (signal.aborted) throw new Interrupted(signal.reason as Interrupted['signal'], message)
  }
}
