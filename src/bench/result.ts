import type { Lane, Samples, UpdateRound } from './lane.ts'
import type { BenchResult, CpuParts, Distribution, Spread, UpdateResult } from './report.ts'
import { mean, median, percentiles } from './statistics.ts'
import type { UpdateName } from './updates.ts'

/** What a lane's samples come to. */
export function resultOf({ candidate, workload, samples }: Lane): BenchResult {
  const update = [...samples.updates].map(([name, rounds]) => [name, updateResult(rounds, samples.updateOverMs.get(name))] as const)
  return {
    layout: candidate.name,
    ...workload.size,
    compileMs: median(samples.compileMs),
    scriptBytes: samples.scriptBytes,
    loadMs: medianOrNull(samples.loadMs),
    ...(samples.loadOverMs === undefined ? {} : { loadOverMs: samples.loadOverMs }),
    loadCpuMs: cpuParts(samples.loadCpuMs),
    update: Object.fromEntries(update) as Record<UpdateName, UpdateResult>,
    restartMs: medianOrNull(samples.restartMs),
    residentBytes: samples.residentBytes ?? null,
    nftPeakBytes: medianOrNull(samples.peakBytes),
    connectionsPerSecond: medianOrNull(samples.connectionsPerSecond),
    spread: Object.fromEntries(spreads(samples)),
  }
}

function updateResult(rounds: readonly UpdateRound[], overMs: number | undefined): UpdateResult {
  const applyMs = rounds.flatMap(round => round.applyMs)
  const computeMs = rounds.flatMap(round => round.computeMs)
  // Where updates reached the kernel, only those that did count, so that the whole is the sum of its parts.
  const pairs = rounds.flatMap(round => round.applyMs.map((apply, i) => ({ compute: round.computeMs[i]!, apply })))
  return {
    samples: computeMs.length,
    operations: median(rounds.flatMap(round => round.operations)),
    computeMs: distribution(pairs.length > 0 ? pairs.map(({ compute }) => compute) : computeMs)!,
    applyMs: distribution(applyMs),
    ...(overMs === undefined ? {} : { applyOverMs: overMs }),
    applyCpuMs: cpuParts(rounds.flatMap(round => round.applyCpuMs)),
    totalMs: distribution(pairs.map(({ compute, apply }) => compute + apply)),
    sessionMs: distribution(rounds.flatMap(round => round.sessionMs)),
  }
}

function* spreads({ compileMs, loadMs, updates, restartMs, connectionsPerSecond }: Samples): Generator<[string, Spread]> {
  const figures = { compileMs, loadMs, restartMs, connectionsPerSecond }
  for (const [name, values] of Object.entries(figures)) if (values.length > 0) yield [name, spread(values)]
  for (const [update, rounds] of updates) {
    for (const name of ['computeMs', 'applyMs', 'sessionMs'] as const) {
      const medians = rounds.flatMap(round => (round[name].length > 0 ? [median(round[name])] : []))
      if (medians.length > 0) yield [`update.${update}.${name}`, spread(medians)]
    }
  }
}

function spread(values: readonly number[]): Spread {
  return { min: Math.min(...values), max: Math.max(...values) }
}

function distribution(values: readonly number[]): Distribution | null {
  return values.length === 0 ? null : { mean: mean(values), ...percentiles(values) }
}

function medianOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values)
}

function cpuParts(parts: readonly CpuParts[]): CpuParts | null {
  return parts.length === 0 ? null : { user: mean(parts.map(({ user }) => user)), system: mean(parts.map(({ system }) => system)) }
}
