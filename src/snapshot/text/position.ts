/** How many line ends a text has before an offset. */
export function linesBefore(text: string, offset: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** `line 3, column 7` of an offset in a text; both count from 1. */
export function position(text: string, offset: number): string {
  return `line ${linesBefore(text, offset) + 1}, column ${offset - (text.lastIndexOf('\n', offset - 1) + 1) + 1}`
}
