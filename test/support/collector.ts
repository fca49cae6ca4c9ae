import type { Diagnostic, Report } from '../../src/diagnostics.ts'

/** A report that keeps what it gets. */
export function collector(): { readonly report: Report; readonly found: Diagnostic[] } {
  const found: Diagnostic[] = []
  return { report: diagnostic => found.push(diagnostic), found }
}

/** For what must find nothing wrong: fails the test with the first problem. */
export const noProblems: Report = ({ summary, place }) => {
  throw new Error(`${place?.object} ${place?.path ?? ''}: ${summary}`)
}
