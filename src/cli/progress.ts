import type { PhaseName } from '../apply/stopwatch.ts'
import type { Io } from './io.ts'

/** Steps that are quick, or wait for the user, have no words. */
const WORDS: Partial<Record<PhaseName, string>> = {
  snapshot: 'reading the snapshot',
  read: 'reading the live table and the snapshot',
  plan: 'planning',
  preflight: 'looking at the machine',
  check: 'having the kernel check the transaction',
  run: 'loading the rules',
  'read back': 'reading back',
  'roll back': 'going back to the table as it was',
  conntrack: 'forgetting stale UDP flows',
}

/** What is going on, on a terminal only: one line that the next one replaces, with the seconds of what takes long. */
export class Progress {
  readonly #stream: Io['stderr']
  readonly #shown: boolean
  #timer: NodeJS.Timeout | undefined

  constructor(stream: Io['stderr'], shown: boolean) {
    this.#stream = stream
    this.#shown = shown && stream.isTTY === true
  }

  readonly start = (name: PhaseName): void => {
    this.clear()
    const words = WORDS[name]
    if (!this.#shown || words === undefined) return
    const begun = Date.now()
    const show = (): void => {
      const seconds = Math.round((Date.now() - begun) / 1000)
      this.#stream.write(`\r\x1b[K${words}…${seconds > 0 ? ` ${seconds} s` : ''}`)
    }
    show()
    this.#timer = setInterval(show, 1000).unref()
  }

  clear(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stream.write('\r\x1b[K')
  }
}
