import type { BenchReport, BenchResult, Distribution } from '../../src/bench/report.ts'

function times(p50: number): Distribution {
  return { mean: p50 * 1.1, p50, p90: p50 * 1.5, p99: p50 * 2 }
}

/** A result with figures that are easy to recognise. */
export function result(fields: Partial<BenchResult> = {}): BenchResult {
  return {
    layout: 'maps',
    services: 1000,
    endpoints: 3,
    compileMs: 10,
    scriptBytes: 4096,
    loadMs: 40,
    loadCpuMs: { user: 20, system: 15 },
    update: {
      endpointReplaced: {
        samples: 100,
        operations: 2,
        computeMs: times(0.02),
        applyMs: times(5),
        applyCpuMs: { user: 1, system: 1 },
        totalMs: times(5.02),
        sessionMs: times(0.3),
      },
    },
    restartMs: null,
    residentBytes: 2_000_000,
    nftPeakBytes: 12_000_000,
    connectionsPerSecond: 9000,
    spread: { compileMs: { min: 9, max: 11 }, loadMs: { min: 38, max: 42 } },
    ...fields,
  }
}

export function report(results: readonly BenchResult[]): BenchReport {
  return {
    apiVersion: 'kubenft/v1',
    kind: 'BenchReport',
    host: {
      kernel: '6.1.0',
      nft: 'nftables v1.0.6',
      node: 'v20.19.0',
      cpu: 'A <fast> & "good" one',
      cpus: 2,
      memoryBytes: 8e9,
      namespace: 'root',
    },
    budgetMs: 60_000,
    rounds: 3,
    results,
    notes: [],
  }
}
