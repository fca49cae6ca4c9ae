import { styleText } from 'node:util'
import { type Diagnostic, DiagnosticsError, formatDiagnostic, type Report } from '../diagnostics.ts'

/**
 * Collects what the stages report, each problem once (the two families often find the same), and decides what it means:
 * errors stop the command before anything is written, warnings do so only with `--strict`.
 */
export class Reporter {
  readonly #found = new Map<string, Diagnostic>()
  readonly #strict: boolean

  constructor(strict: boolean) {
    this.#strict = strict
  }

  readonly report: Report = diagnostic => {
    const severity = this.#strict ? 'error' : diagnostic.severity
    this.#found.set(formatDiagnostic(diagnostic), { ...diagnostic, severity })
  }

  /** The warnings so far. @throws DiagnosticsError with every problem found when one of them is an error. */
  check(): readonly Diagnostic[] {
    const all = [...this.#found.values()]
    if (all.some(({ severity }) => severity === 'error')) throw new DiagnosticsError(all)
    return all
  }
}

/** Diagnostics as text for a terminal, a line or two each. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], color: boolean): string {
  return diagnostics
    .map(diagnostic => {
      const text = formatDiagnostic(diagnostic)
      if (!color) return `${text}\n`
      const { severity } = diagnostic
      return `${styleText(severity === 'error' ? ['red', 'bold'] : ['yellow', 'bold'], severity, { validateStream: false })}${text.slice(severity.length)}\n`
    })
    .join('')
}
