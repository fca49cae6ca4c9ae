/** What starts with a brace or bracket is JSON, as it is to kubectl. */
export function startsAsJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** Whether a stretch has only empty lines and comments. */
export function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const char = text[at]
    if (char === '#') {
      const lineEnd = text.indexOf('\n', at)
      if (lineEnd < 0) return true
      at = lineEnd
    } else if (char !== ' ' && char !== '\n' && char !== '\t') return false
  }
  return true
}

/**
 * The stretches of a YAML text between its `---` lines; undefined when these lines alone do not tell the documents apart:
 * with directives (`%YAML`), `...` lines, or content on a `---` line.
 */
export function split(text: string): readonly (readonly [start: number, end: number])[] | undefined {
  if (text.startsWith('%') || text.includes('\n%') || isMarked(text, '...')) return undefined
  const pieces: [number, number][] = []
  let start = 0
  for (let line = text.startsWith('---') ? 0 : nextLine(text, '---', 0); line >= 0; line = nextLine(text, '---', line)) {
    if (!isMarker(text, line)) continue
    const lineEnd = text.indexOf('\n', line) < 0 ? text.length : text.indexOf('\n', line)
    if (!isBlank(text, line + 3, lineEnd)) return undefined
    pieces.push([start, line])
    start = Math.min(text.length, lineEnd + 1)
  }
  pieces.push([start, text.length])
  return pieces
}

function isMarked(text: string, mark: string): boolean {
  for (let line = text.startsWith(mark) ? 0 : nextLine(text, mark, 0); line >= 0; line = nextLine(text, mark, line)) {
    if (isMarker(text, line)) return true
  }
  return false
}

/** The start of the next line after an offset that begins with a mark, or -1. */
function nextLine(text: string, mark: string, from: number): number {
  const found = text.indexOf(`\n${mark}`, from)
  return found < 0 ? -1 : found + 1
}

/** The three characters of a marker must stand alone: `----` is text. */
function isMarker(text: string, line: number): boolean {
  const after = text[line + 3]
  return after === undefined || after === '\n' || after === ' ' || after === '\t'
}
