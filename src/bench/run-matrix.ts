import { candidate, isInstalled } from './candidates.ts'
import { inspectHost } from './host.ts'
import { Lane } from './lane.ts'
import type { Matrix } from './options.ts'
import { type Means, type Step, stepsFor } from './plan.ts'
import { Progress, type ProgressStream } from './progress.ts'
import type { BenchReport, BenchResult } from './report.ts'
import { resultOf } from './result.ts'
import { ToolError } from './tool-error.ts'
import { Workload } from './workload.ts'

const UNPRIVILEGED =
  'Without root, the kernel bounds the size of a transaction: full loads of nftables layouts went in many small ones, which takes longer than one.'

/** What a run needs in all its parts. */
interface Run {
  readonly matrix: Matrix
  readonly means: Means
  readonly progress: Progress
  readonly notes: string[]
  readonly signal: AbortSignal
}

/**
 * Measures every layout at every size. What this machine does not allow is left out of the figures and said in the notes; so is a program that
 * refuses its rules.
 * @throws the signal's reason once it is aborted; no namespace, process or file is left then.
 */
export async function runMatrix(matrix: Matrix, stderr: ProgressStream, signal: AbortSignal): Promise<BenchReport> {
  const { budgetMs, rounds } = matrix
  const { host, problem } = await inspectHost(signal)
  const notes: string[] = []
  const means = { kernel: problem === undefined, ip: isInstalled('ip') }
  if (problem !== undefined) notes.push(`Nothing was loaded: ${problem}`)
  else if (!means.ip) notes.push('Connections were not measured: the program ip is not installed.')
  if (host.namespace === 'user namespace') notes.push(UNPRIVILEGED)
  const layouts = matrix.layouts.filter(
    name => !matrix.onlyInstalled || candidate(name).tool === 'nft' || isInstalled(candidate(name).tool),
  )
  const sizes = matrix.sizes.map(size => {
    const workload = new Workload(size)
    return layouts.map(name => new Lane(candidate(name), workload, signal))
  })
  let expected = 0
  for (const lanes of sizes) for (const { expectedMs } of stepsFor(lanes, matrix, means)) expected += expectedMs
  const progress = new Progress(stderr, expected)
  const results: BenchResult[] = []
  try {
    // Sizes leave the list as they are done, for their memory.
    for (let lanes = sizes.shift(); lanes !== undefined; lanes = sizes.shift())
      results.push(...(await runSize(lanes, { matrix, means, progress, notes, signal })))
  } finally {
    progress.end()
  }
  return { apiVersion: 'kubenft/v1', kind: 'BenchReport', host, budgetMs, rounds, results, notes }
}

async function runSize(lanes: readonly Lane[], run: Run): Promise<BenchResult[]> {
  const { matrix, means, progress, notes, signal } = run
  for (const lane of lanes) {
    const { name, tool } = lane.candidate
    if (!means.kernel || isInstalled(tool)) continue
    lane.broken = true
    notes.push(`${name}: ${tool} is not installed, so nothing was loaded.`)
  }
  try {
    for (const step of stepsFor(lanes, matrix, means)) {
      signal.throwIfAborted()
      const { candidate, workload } = step.lane
      const { services, endpoints } = workload.size
      progress.show(`${services} services × ${endpoints}, ${step.phase}`, candidate.name)
      await runStep(step, run)
      progress.step(step.expectedMs)
    }
    return lanes.map(resultOf)
  } finally {
    await Promise.all(lanes.map(lane => lane.close()))
  }
}

/** What a program refuses is noted, and its lane goes on without a kernel. */
async function runStep({ lane, phase, run }: Step, { notes, signal }: Run): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (signal.aborted || !(error instanceof ToolError)) throw error
    notes.push(`${lane.candidate.name}, ${lane.workload.size.services} services, ${phase}: ${error.message}`)
    lane.broken = true
    await lane.close()
  }
}
