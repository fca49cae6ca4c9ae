/** Thrown when an input has no text that can be read; the caller knows which file it is. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly detail: string
  constructor(summary: string, detail: string) {
    super(summary)
    this.detail = detail
  }
}
