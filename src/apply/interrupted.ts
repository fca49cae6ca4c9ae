/** Somebody asked this process to stop. The kernel has the old rules or the new ones, as `message` says. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** `SIGINT` or `SIGTERM`. */
  readonly signal: string

  constructor(signal: string, message: string) {
    super(message)
    this.signal = signal
  }

  static check(signal: AbortSignal, message = 'Nothing was changed.'): void {
    if (signal.aborted) throw new Interrupted(String(signal.reason), message)
  }
}
