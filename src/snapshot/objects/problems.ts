import { type Diagnostic, DiagnosticsError, type Place, type Report } from '../../diagnostics.ts'

/** Collects what is wrong with the input: errors are thrown together at the end, warnings are reported as they come. */
export class Problems {
  readonly #report: Report
  readonly #limit: number
  readonly #errors: Diagnostic[] = []
  #errorsLeftOut = 0
  #warnings = 0

  constructor(report: Report, limit: number) {
    this.#report = report
    this.#limit = limit
  }

  /** Whether more errors are only counted, so that looking for all problems of an object no longer pays. */
  get full(): boolean {
    return this.#errors.length >= this.#limit
  }

  error(place: Place, summary: string, detail?: string): void {
    if (this.full) this.#errorsLeftOut++
    else this.#errors.push({ severity: 'error', summary, ...(detail === undefined ? {} : { detail }), place })
  }

  warning(place: Place, summary: string, detail?: string): void {
    if (++this.#warnings <= this.#limit) this.#report({ severity: 'warning', summary, ...(detail === undefined ? {} : { detail }), place })
  }

  /** Says how many warnings were left out, and throws all errors if there are any. */
  finish(): void {
    if (this.#warnings > this.#limit)
      this.#report({ severity: 'warning', summary: `${this.#warnings - this.#limit} more warnings of the snapshot are not shown` })
    if (this.#errors.length === 0) return
    throw new DiagnosticsError(
      this.#errorsLeftOut === 0
        ? this.#errors
        : [...this.#errors, { severity: 'error', summary: `${this.#errorsLeftOut} more problems are not shown; correct these first` }],
    )
  }
}
