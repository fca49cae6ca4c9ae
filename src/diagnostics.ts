/** Where a problem is. `file` is `-` for standard input, `document` counts from 1, `path` is a JSON path such as `spec.ports[0].port`. */
export interface Place {
  readonly file?: string
  readonly document?: number
  /** `Kind namespace/name`, or `items[3]` when the object has no usable name. */
  readonly object?: string
  readonly path?: string
}

/**
 * A problem as a value: collected while work goes on, printed once at the end.
 * `summary` says what is wrong, `detail` what follows from it and what to do.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  readonly detail?: string
  readonly place?: Place
}

/** Receives diagnostics; every stage that can find problems takes one. */
export type Report = (diagnostic: Diagnostic) => void

/** Thrown when work cannot go on; carries every problem found so far. The command line prints them all and exits 2. */
export class DiagnosticsError extends Error {
  override readonly name = 'DiagnosticsError'
  readonly diagnostics: readonly Diagnostic[]
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'))
    this.diagnostics = diagnostics
  }
}

/** Control characters, and those that are not seen or turn the direction of what is seen around them. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** Untrusted text made safe for a terminal and short enough to read: invisible characters escaped, at most `limit` characters of it. */
export function printable(text: string, limit = 120): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
  return cut.replace(CONTROL, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** One diagnostic as text: `error: FILE, document N, OBJECT, PATH: SUMMARY`, the detail indented below. */
export function formatDiagnostic({ severity, summary, detail, place }: Diagnostic): string {
  const parts = [place?.file, place?.document === undefined ? undefined : `document ${place.document}`, place?.object, place?.path].filter(
    part => part !== undefined && part !== '',
  )
  const where = parts.length > 0 ? `${parts.map(part => printable(part as string)).join(', ')}: ` : ''
  return `${severity}: ${where}${printable(summary, 400)}${detail === undefined ? '' : `\n    ${printable(detail, 800)}`}`
}
