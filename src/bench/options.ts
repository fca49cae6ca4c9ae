import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'
import type { CandidateName } from './candidate.ts'
import { CANDIDATE_NAMES } from './candidates.ts'
import type { Size } from './workload.ts'

/** What `bench` is asked for; everything is optional. */
export interface BenchOptions {
  /** Numbers of services; 1000, 5000 and 10000 unless given. */
  readonly services?: readonly number[]
  /** Of each service; 3 unless given. */
  readonly endpoints?: number
  /** All that are installed unless given. */
  readonly layouts?: readonly string[]
  /** Seconds for one measurement of one layout; 60 unless given. */
  readonly budget?: number
  readonly output?: 'text' | 'json'
  /** File for a page with charts. */
  readonly html?: string
  /** File with an earlier report in JSON, to compare with. */
  readonly baseline?: string
  /** Adds 44,000 services with one endpoint each. */
  readonly large?: boolean
  /** How often the layouts take turns in each scenario; 3 unless given. */
  readonly rounds?: number
  /** Updates of each kind in all rounds together; 102 unless given. */
  readonly samples?: number
  readonly color?: boolean
}

export interface Matrix {
  readonly sizes: readonly Size[]
  readonly layouts: readonly CandidateName[]
  /** Whether iptables is left out in silence where it is missing, because nobody asked for it. */
  readonly onlyInstalled: boolean
  readonly budgetMs: number
  readonly rounds: number
  readonly samples: number
}

const LARGE: Size = { services: 44_000, endpoints: 1 }
/** Above so many services a run would need more memory than it is worth. */
const MAX_SERVICES = 200_000

/** Fills in defaults. @throws DiagnosticsError with every problem. */
export function matrixOf(options: BenchOptions): Matrix {
  const { services = [1000, 5000, 10_000], endpoints = 3, layouts = CANDIDATE_NAMES, budget = 60, rounds = 3, samples = 102 } = options
  const problems: Diagnostic[] = []
  const wholeNumber = (name: string, value: number, min: number, max: number): void => {
    if (Number.isInteger(value) && value >= min && value <= max) return
    problems.push({ severity: 'error', summary: `${name} is ${value}`, detail: `It must be a whole number from ${min} to ${max}.` })
  }
  for (const value of services) wholeNumber('services', value, 1, MAX_SERVICES)
  wholeNumber('endpoints', endpoints, 1, 1000)
  wholeNumber('rounds', rounds, 1, 100)
  wholeNumber('samples', samples, 1, 100_000)
  if (!(budget > 0)) problems.push({ severity: 'error', summary: `budget is ${budget}`, detail: 'It is a number of seconds above 0.' })
  const names: readonly string[] = CANDIDATE_NAMES
  for (const layout of layouts) {
    if (names.includes(layout)) continue
    problems.push({ severity: 'error', summary: `no layout is called ${layout}`, detail: `There are ${names.join(', ')}.` })
  }
  if (problems.length > 0) throw new DiagnosticsError(problems)
  const sizes = [...new Set(services)].map(value => ({ services: value, endpoints }))
  return {
    sizes: options.large === true ? [...sizes, LARGE] : sizes,
    layouts: [...new Set(layouts)] as CandidateName[],
    onlyInstalled: options.layouts === undefined,
    budgetMs: budget * 1000,
    rounds,
    samples,
  }
}
