import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { DiagnosticsError } from '../diagnostics.ts'
import type { BenchReport, BenchResult, Spread } from './report.ts'
import { REPORT_SCHEMA } from './report-schema.ts'

/** A figure that changed beyond the noise. */
export interface FigureChange {
  /** New value by old value. */
  readonly factor: number
  readonly better: boolean
}

/** What changed since a baseline, by `comparisonKey`. */
export interface Comparison {
  readonly changes: ReadonlyMap<string, FigureChange>
  readonly notes: readonly string[]
}

/** Smaller changes are not worth a mark, however close the rounds are. */
const SMALLEST_CHANGE = 0.05

/** Names one figure of one layout at one size. */
export function comparisonKey({ layout, services, endpoints }: BenchResult, figure: string): string {
  return `${layout} ${services} ${endpoints} ${figure}`
}

/** Reads an earlier report. @throws DiagnosticsError when the file is not there or not a report. */
export function readBaseline(file: string): BenchReport {
  const refuse = (summary: string, detail: string): never => {
    throw new DiagnosticsError([{ severity: 'error', place: { file }, summary, detail }])
  }
  let report: unknown
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return refuse(`the baseline cannot be read: ${(error as Error).message}`, 'Give a file that bench -o json wrote.')
  }
  const validate = new Ajv({ allErrors: false }).compile<BenchReport>(REPORT_SCHEMA)
  if (validate(report)) return report
  const [problem] = validate.errors ?? []
  return refuse(`not a BenchReport: ${problem?.instancePath || '/'} ${problem?.message ?? ''}`, 'Give a file that bench -o json wrote.')
}

/**
 * Compares figures of the same layout at the same size. A figure has changed when its middle is farther from the baseline's than the values of the
 * rounds of both runs are apart, and more than 5 %.
 */
export function compare(before: BenchReport, after: BenchReport): Comparison {
  const old = new Map(before.results.flatMap(result => figuresOf(result)))
  const changes = new Map<string, FigureChange>()
  let compared = 0
  for (const result of after.results) {
    for (const [key, spread] of figuresOf(result)) {
      const known = old.get(key)
      if (known === undefined) continue
      compared++
      const factor = middle(spread) / middle(known)
      const noise = (spread.max / spread.min) * (known.max / known.min)
      if (Math.max(factor, 1 / factor) <= Math.max(noise, 1 + SMALLEST_CHANGE)) continue
      const largerIsBetter = key.endsWith(' connectionsPerSecond')
      changes.set(key, { factor, better: largerIsBetter === factor > 1 })
    }
  }
  const better = [...changes.values()].filter(change => change.better).length
  const notes = [`${compared} figures compared, ${better} better and ${changes.size - better} worse beyond the noise`]
  for (const fact of ['kernel', 'nft', 'node', 'cpu'] as const) {
    if (before.host[fact] !== after.host[fact]) notes.push(`${fact} was ${before.host[fact]} and is ${after.host[fact]}`)
  }
  return { changes, notes }
}

function figuresOf(result: BenchResult): [string, Spread][] {
  const figures = Object.entries(result.spread)
  const { residentBytes } = result
  if (residentBytes !== null) figures.push(['residentBytes', { min: residentBytes, max: residentBytes }])
  return figures.map(([name, spread]) => [comparisonKey(result, name), spread])
}

function middle({ min, max }: Spread): number {
  return Math.sqrt(min * max)
}
