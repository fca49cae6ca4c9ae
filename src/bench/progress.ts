/** A stream that progress is shown on. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

const BAR_WIDTH = 24

/**
 * How far a run is, on standard error: a bar on a terminal, a line for each new phase elsewhere. Time left follows from how long the steps so far
 * took compared with what was expected of them.
 */
export class Progress {
  readonly #stream: ProgressStream
  readonly #expected: number
  readonly #start = performance.now()
  #done = 0
  #phase = ''

  /** @param expected the sum of what all steps are expected to take, in any unit */
  constructor(stream: ProgressStream, expected: number) {
    this.#stream = stream
    this.#expected = expected
  }

  /** Says what is being done now. */
  show(phase: string, detail: string): void {
    if (this.#stream.isTTY !== true) {
      if (phase !== this.#phase) this.#stream.write(`${phase}\n`)
      this.#phase = phase
      return
    }
    const share = this.#expected === 0 ? 0 : Math.min(1, this.#done / this.#expected)
    const filled = Math.round(share * BAR_WIDTH)
    const elapsed = performance.now() - this.#start
    const left = this.#done === 0 ? '' : `, ${duration((elapsed / this.#done) * (this.#expected - this.#done))} left`
    const line = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${Math.round(share * 100)} %${left}  ${phase}: ${detail}`
    this.#stream.write(`\r\u001b[2K${line.slice(0, (this.#stream.columns ?? 80) - 1)}`)
  }

  step(expected: number): void {
    this.#done += expected
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#stream.isTTY === true) this.#stream.write('\r\u001b[2K')
  }
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
