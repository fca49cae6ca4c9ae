/** One document of an input. `number` counts from 1. */
export interface Document {
  readonly number: number
  readonly value: unknown
}

/** Something in the text that keeps a document, or one item of its list, from being read. */
export interface TextProblem {
  /** Offset in the text that was read. */
  readonly offset: number
  readonly summary: string
  readonly detail: string
}
