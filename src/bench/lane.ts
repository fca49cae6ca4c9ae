import type { Candidate, Resident } from './candidate.ts'
import { Namespace } from './namespace.ts'
import { NftSession } from './nft-session.ts'
import type { CpuParts } from './report.ts'
import type { UpdateName } from './updates.ts'
import type { Workload } from './workload.ts'

/** Samples of one kind of update in one round, in milliseconds. */
export interface UpdateRound {
  readonly operations: number[]
  /** Of the same updates, in the same order; `applyMs` is empty when there is no kernel to apply to. */
  readonly computeMs: number[]
  readonly applyMs: number[]
  readonly applyCpuMs: CpuParts[]
  readonly sessionMs: number[]
}

/** Everything that was measured in one lane, one value a round unless said otherwise. */
export interface Samples {
  readonly compileMs: number[]
  readonly loadMs: number[]
  readonly loadCpuMs: CpuParts[]
  readonly peakBytes: number[]
  readonly updates: Map<UpdateName, UpdateRound[]>
  /** Kinds of updates that were stopped, with the time after which. */
  readonly updateOverMs: Map<UpdateName, number>
  readonly restartMs: number[]
  readonly connectionsPerSecond: number[]
  scriptBytes: number
  loadOverMs: number | undefined
  residentBytes: number | undefined
}

/** One layout at one size: its resident state, its namespace, and what was measured so far. */
export class Lane {
  readonly candidate: Candidate
  readonly workload: Workload
  readonly resident: Resident
  readonly samples: Samples = {
    compileMs: [],
    loadMs: [],
    loadCpuMs: [],
    peakBytes: [],
    updates: new Map(),
    updateOverMs: new Map(),
    restartMs: [],
    connectionsPerSecond: [],
    scriptBytes: 0,
    loadOverMs: undefined,
    residentBytes: undefined,
  }
  /** Set when its program is missing or has refused something: only computation is measured from then on. */
  broken = false
  readonly #signal: AbortSignal
  #loaded: { readonly namespace: Namespace; readonly session: NftSession | undefined } | undefined

  constructor(candidate: Candidate, workload: Workload, signal: AbortSignal) {
    this.candidate = candidate
    this.workload = workload
    this.resident = candidate.resident()
    this.#signal = signal
  }

  /** The namespace that holds the rules of `resident`, and the resident nft in it; undefined while no kernel holds them. */
  get loaded(): { readonly namespace: Namespace; readonly session: NftSession | undefined } | undefined {
    return this.#loaded
  }

  /** A new namespace in place of the last. */
  async fresh(): Promise<Namespace> {
    await this.close()
    return Namespace.open(this.#signal)
  }

  /** Says that a namespace of this lane holds its rules now; it is closed with the lane. */
  async adopt(namespace: Namespace): Promise<void> {
    this.#loaded = { namespace, session: undefined }
    if (this.candidate.tool === 'nft') this.#loaded = { namespace, session: await NftSession.start(namespace) }
  }

  async close(): Promise<void> {
    const loaded = this.#loaded
    this.#loaded = undefined
    await loaded?.namespace.close()
  }
}
