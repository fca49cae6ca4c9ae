import { writeFileSync } from 'node:fs'
import { compare, readBaseline } from './baseline.ts'
import { type BenchOptions, matrixOf } from './options.ts'
import type { ProgressStream } from './progress.ts'
import { runMatrix } from './run-matrix.ts'
import { renderHtml } from './view-html.ts'
import { renderText } from './view-text.ts'

export { CANDIDATE_NAMES } from './candidates.ts'
export type { BenchOptions } from './options.ts'
export type { BenchReport, BenchResult } from './report.ts'
export { REPORT_SCHEMA } from './report-schema.ts'

export interface BenchIo {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: ProgressStream
  /** Stops the run, which tidies up and then rejects with the signal's reason. */
  readonly signal: AbortSignal
}

/**
 * Measures layouts and prints a report. Returns the exit code: 0.
 * @throws DiagnosticsError for options out of range and a baseline that cannot be read, before anything is measured; the signal's reason when it is
 * aborted.
 */
export async function runBench(options: BenchOptions, { stdout, stderr, signal }: BenchIo): Promise<number> {
  const matrix = matrixOf(options)
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline)
  const report = await runMatrix(matrix, stderr, signal)
  if (options.html !== undefined) writeFileSync(options.html, renderHtml(report))
  const comparison = baseline === undefined ? undefined : compare(baseline, report)
  const text =
    options.output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : renderText(report, comparison, options.color === true)
  await new Promise<void>((resolve, reject) => {
    stdout.write(text, error => (error ? reject(error) : resolve()))
  })
  return 0
}
