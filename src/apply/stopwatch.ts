/** A step of an apply and how long it took, in milliseconds. */
export interface Phase {
  readonly name: PhaseName
  readonly ms: number
}

export type PhaseName =
  | 'lock'
  | 'watch'
  | 'read'
  | 'snapshot'
  | 'plan'
  | 'preflight'
  | 'ask'
  | 'check'
  | 'run'
  | 'read back'
  | 'compare'
  | 'roll back'
  | 'conntrack'

/** Times the steps of an apply and tells when one starts. */
export class Stopwatch {
  readonly #phases = new Map<PhaseName, number>()
  readonly #started: (name: PhaseName) => void

  constructor(started: (name: PhaseName) => void = () => {}) {
    this.#started = started
  }

  async time<T>(name: PhaseName, work: () => T | Promise<T>): Promise<T> {
    this.#started(name)
    const start = performance.now()
    try {
      return await work()
    } finally {
      this.#phases.set(name, (this.#phases.get(name) ?? 0) + performance.now() - start)
    }
  }

  /** In the order in which they first ran; what ran twice counts both times. */
  get phases(): Phase[] {
    return [...this.#phases].map(([name, ms]) => ({ name, ms }))
  }
}
