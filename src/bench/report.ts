import type { CandidateName } from './candidate.ts'
import type { Percentiles } from './statistics.ts'
import type { UpdateName } from './updates.ts'

/** Percentiles and the mean, which adds up: the mean of a whole is the sum of the means of its parts. All in milliseconds. */
export interface Distribution extends Percentiles {
  readonly mean: number
}

/** CPU time in milliseconds, the mean of one run: in the program itself and in the kernel on its behalf. */
export interface CpuParts {
  readonly user: number
  readonly system: number
}

/** Smallest and largest of a figure's values, one from each round of the run. */
export interface Spread {
  readonly min: number
  readonly max: number
}

export interface UpdateResult {
  readonly samples: number
  /** Commands of one transaction, the median. */
  readonly operations: number
  /** Changed objects in, script out. */
  readonly computeMs: Distribution
  /** The script to the kernel by a program of its own, from start to exit (`nft -f`). Null: not measured. */
  readonly applyMs: Distribution | null
  /** Set when it was stopped after so many milliseconds. */
  readonly applyOverMs?: number
  readonly applyCpuMs: CpuParts | null
  /** computeMs and applyMs of the same updates together. */
  readonly totalMs: Distribution | null
  /** The same kind of update by a resident `nft -i`; null for other programs. */
  readonly sessionMs: Distribution | null
}

/** The figures of one layout at one size; null is one that could not be measured. */
export interface BenchResult {
  readonly layout: CandidateName
  readonly services: number
  /** Of each service. */
  readonly endpoints: number
  /** Objects in memory to text. */
  readonly compileMs: number
  readonly scriptBytes: number
  readonly loadMs: number | null
  /** Set when the load was stopped after so many milliseconds. */
  readonly loadOverMs?: number
  readonly loadCpuMs: CpuParts | null
  readonly update: Readonly<Partial<Record<UpdateName, UpdateResult>>>
  /** State recovered from the live table, and nothing found to do. */
  readonly restartMs: number | null
  readonly residentBytes: number | null
  /** Peak of the program that does the full load, as far as it was seen; null when it was too short to be looked at. */
  readonly nftPeakBytes: number | null
  readonly connectionsPerSecond: number | null
  /** By the path of a figure, such as `loadMs` and `update.rollout.applyMs` (there it is the medians of the rounds). */
  readonly spread: Readonly<Record<string, Spread>>
}

export interface BenchHost {
  readonly kernel: string
  readonly nft: string | null
  readonly node: string
  readonly cpu: string
  readonly cpus: number
  readonly memoryBytes: number
  readonly namespace: 'root' | 'user namespace' | null
}

export interface BenchReport {
  readonly apiVersion: 'kubenft/v1'
  readonly kind: 'BenchReport'
  readonly host: BenchHost
  readonly budgetMs: number
  readonly rounds: number
  readonly results: readonly BenchResult[]
  /** What could not be measured, and why. */
  readonly notes: readonly string[]
}
