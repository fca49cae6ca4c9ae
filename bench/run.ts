import { parseArgs } from 'node:util'
import { runBench } from '../src/bench/index.ts'
import { microbenchmarks } from './micro.ts'

/** What `npm run bench` measures in the kernel: a matrix of some minutes, or with `--large` all that `kubenft bench --large` has. */
const SMALL = { services: [1000, 5000], budget: 20 }

const { values } = parseArgs({ options: { large: { type: 'boolean', default: false } } })
const controller = new AbortController()
process.once('SIGINT', () => controller.abort(new Error('interrupted')))

microbenchmarks(process.stdout)
process.stdout.write('\n')
process.exitCode = await runBench(values.large ? { large: true } : SMALL, {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: controller.signal,
})
