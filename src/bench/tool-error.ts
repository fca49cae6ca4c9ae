/** A program that is measured refused what it was given, or could not be run. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}
