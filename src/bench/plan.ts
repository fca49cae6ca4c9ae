import type { Lane } from './lane.ts'
import { measureConnections } from './measure-connections.ts'
import { measureCompile, measureLoad } from './measure-load.ts'
import { measureMemory } from './measure-memory.ts'
import { measureRestart } from './measure-restart.ts'
import { measureUpdates } from './measure-update.ts'
import type { Matrix } from './options.ts'
import { UPDATE_NAMES } from './updates.ts'

/** One measurement of one lane in one round. */
export interface Step {
  readonly phase: string
  readonly lane: Lane
  /** Roughly how long it takes on a machine of our days, in milliseconds; only to guess the time left. */
  readonly expectedMs: number
  run(): void | Promise<void>
}

/** What a host has to measure with. */
export interface Means {
  readonly kernel: boolean
  readonly ip: boolean
}

/** All steps for the lanes of one size, in order: in each scenario the layouts take turns, round after round, so that noise hits all of them alike. */
export function* stepsFor(lanes: readonly Lane[], { budgetMs, rounds, samples }: Matrix, { kernel, ip }: Means): Generator<Step> {
  for (let round = 0; round < rounds; round++) {
    for (const lane of lanes) yield { phase: 'compile', lane, expectedMs: thousands(lane) * 20, run: () => measureCompile(lane) }
  }
  for (const lane of lanes) {
    yield { phase: 'resident state', lane, expectedMs: thousands(lane) * 20, run: () => lane.resident.start(lane.workload.objects) }
  }
  for (let round = 0; kernel && round < rounds; round++) {
    for (const lane of lanes) {
      const expectedMs = Math.min(budgetMs, expectedLoadMs(lane))
      yield { phase: 'full load', lane, expectedMs, run: () => measureLoad(lane, budgetMs, rounds) }
    }
  }
  for (const name of UPDATE_NAMES) {
    const options = { samples: Math.ceil(samples / rounds), roundMs: budgetMs / UPDATE_NAMES.length / rounds, budgetMs }
    for (let round = 0; round < rounds; round++) {
      for (const lane of lanes) {
        const expectedMs = kernel ? Math.min(options.roundMs, options.samples * (15 + expectedLoadMs(lane) / 10)) : options.samples
        yield { phase: `update, ${name}`, lane, expectedMs, run: () => measureUpdates(lane, name, { round, ...options }) }
      }
    }
  }
  for (let round = 0; kernel && round < rounds; round++) {
    for (const lane of lanes)
      yield { phase: 'restart', lane, expectedMs: 100 + thousands(lane) * 60, run: () => measureRestart(lane, budgetMs) }
  }
  for (let round = 0; kernel && ip && round < rounds; round++) {
    for (const lane of lanes) yield { phase: 'connections', lane, expectedMs: 1200, run: () => measureConnections(lane) }
  }
  for (const lane of lanes) yield { phase: 'memory', lane, expectedMs: 100 + thousands(lane) * 40, run: () => measureMemory(lane) }
}

function thousands({ workload }: Lane): number {
  return workload.size.services / 1000
}

/** Layouts with rules for each service are loaded in quadratic time by nftables (see docs/performance.md). */
function expectedLoadMs(lane: Lane): number {
  const size = thousands(lane)
  const linear = { maps: 40, 'iptables-legacy-restore': 200 } as const
  const { name } = lane.candidate
  return name in linear ? linear[name as keyof typeof linear] * size : 250 * size + 150 * size ** 2
}
