import Benchmark from 'benchmark'
import { compileNft, ignore } from '../src/bench/compile.ts'
import { percentiles } from '../src/bench/statistics.ts'
import { UPDATES } from '../src/bench/updates.ts'
import { NODE_NAME, Workload } from '../src/bench/workload.ts'
import { type Change, NodeRules } from '../src/index.ts'
import { LAYOUTS } from '../src/nft/layouts/index.ts'

const SIZES = [
  { services: 1000, endpoints: 3 },
  { services: 10_000, endpoints: 3 },
  { services: 44_000, endpoints: 1 },
] as const

/** Changes of which each is timed for the percentiles; as many before them are not, so that the code is compiled. */
const TIMED_CHANGES = 2000

interface Timing {
  readonly services: number
  readonly compileMs: number
  readonly changeMs: number
}

/**
 * What the pure core costs, without nft and the kernel: a full compile of `maps`, and one changed EndpointSlice in a resident state.
 * Prints one line a figure and then what they are to each other.
 */
export function microbenchmarks(stdout: NodeJS.WritableStream): void {
  const timings = SIZES.map(({ services, endpoints }): Timing => {
    const workload = new Workload({ services, endpoints })
    const title = `${services} services × ${endpoints}`
    const compileMs = compile(workload, title, stdout)
    return { services, compileMs, changeMs: changeOneSlice(workload, title, stdout) }
  })
  const [smallest] = timings
  for (const { services, compileMs, changeMs } of timings.slice(1)) {
    const ratio = (a: number, b: number): string => (a / b).toFixed(2)
    stdout.write(
      `${services} services to ${smallest!.services}: ` +
        `compile a service ${ratio(compileMs / services, smallest!.compileMs / smallest!.services)}, ` +
        `one change ${ratio(changeMs, smallest!.changeMs)}\n`,
    )
  }
}

/** Returns the mean in milliseconds. */
function compile(workload: Workload, title: string, stdout: NodeJS.WritableStream): number {
  const { snapshot } = workload
  let bytes = 0
  const { stats } = run(() => {
    bytes = compileNft(LAYOUTS.maps, snapshot).length
  })
  stdout.write(`compile ${title}: ${milliseconds(stats)}, ${(bytes / 2 ** 20).toFixed(1)} MiB of script\n`)
  return stats.mean * 1000
}

/** Returns the median in milliseconds. */
function changeOneSlice(workload: Workload, title: string, stdout: NodeJS.WritableStream): number {
  const rules = new NodeRules({ layout: LAYOUTS.maps, report: ignore, nodeName: NODE_NAME })
  rules.apply(workload.objects.map(object => ({ type: 'set', object })))
  const changes: (readonly Change[])[] = []
  for (let n = 0; n < TIMED_CHANGES; n++) {
    const { changes: there, undo: back } = UPDATES.endpointReplaced(workload, n)
    changes.push(there, back)
  }
  let next = 0
  let operations = 0
  const apply = (): void => {
    operations = rules.apply(changes[next++ % changes.length]!)[0]!.operations.length
  }
  const { stats } = run(apply)
  const times = Array.from({ length: TIMED_CHANGES }, () => {
    const start = performance.now()
    apply()
    return performance.now() - start
  })
  const { p50, p99 } = percentiles(times)
  stdout.write(
    `one EndpointSlice changed in ${title}: ${milliseconds(stats)}; one at a time p50 ${p50.toFixed(4)} ms, p99 ${p99.toFixed(4)} ms; ${operations} operations\n`,
  )
  return p50
}

function run(fn: () => void): Benchmark {
  const benchmark = new Benchmark(fn, { maxTime: 3 })
  benchmark.run()
  if (benchmark.error !== undefined) throw benchmark.error
  return benchmark
}

function milliseconds({ mean, rme, sample }: Benchmark.Stats): string {
  return `${(mean * 1000).toPrecision(3)} ms ±${rme.toFixed(1)} % (${sample.length} samples)`
}
