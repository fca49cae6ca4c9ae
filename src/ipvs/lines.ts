import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'

/** So many problems are listed; a file that is no dump at all has one a line. */
const MAX_PROBLEMS = 20

/**
 * Gives each line of a dump that is neither empty nor a comment to `take`, which returns what is wrong with it, or nothing.
 * @throws DiagnosticsError with every problem found
 */
export function eachLine(text: string, file: string | undefined, take: (line: string) => string | undefined): void {
  const problems: Diagnostic[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const summary = take(line)
    if (summary === undefined) continue
    problems.push({ severity: 'error', place: { ...(file === undefined ? {} : { file }), path: `line ${index + 1}` }, summary })
    if (problems.length >= MAX_PROBLEMS) break
  }
  if (problems.length > 0) throw new DiagnosticsError(problems)
}

/** Splits a line at blanks, but for those in double quotes, which stay part of their word. */
export function wordsOf(line: string): string[] {
  return line.match(/(?:"[^"]*"|[^\s"])+/g) ?? []
}

/** Puts each option that takes a value together with it. Words that are no known option stay as they are, in their place. */
export function optionsOf(words: readonly string[], withValue: ReadonlySet<string>): string[] {
  const options: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string
    const value = words[index + 1]
    if (withValue.has(word) && value !== undefined) {
      options.push(`${word} ${value}`)
      index++
    } else options.push(word)
  }
  return options
}
