import { position } from '../text/position.ts'
import type { Document } from './document.ts'
import { readJson } from './json.ts'
import { isBlank, split, startsAsJson } from './split.ts'
import { type Parsed, readYaml, readYamlStream } from './yaml.ts'

/** Takes what keeps a document from being read; `summary` has line and column. */
export type DocumentProblem = (document: number, summary: string, detail: string) => void

/**
 * The documents of a text, JSON or YAML, one after another; a broken one is reported and the others are read. A `---` line ends a document, and
 * JSON objects may also follow each other without one. A document without content counts but is not returned; comments before the first `---`
 * are no document.
 */
export function* readDocuments(source: string, problem: DocumentProblem): Generator<Document> {
  let number = 0
  // A "---" line cannot stand inside of JSON, where a line end in a string is escaped.
  const text = source.includes('\r') ? source.replaceAll('\r\n', '\n') : source
  const pieces = split(text)
  if (pieces === undefined) yield* documentsOf(readYamlStream(text), 0)
  for (const [start, end] of pieces ?? []) {
    const isEmpty = isBlank(text, start, end)
    if (isEmpty && start === 0 && pieces?.length !== 1) continue
    if (isEmpty) {
      number++
      continue
    }
    const piece = text.slice(start, end)
    yield* documentsOf(startsAsJson(piece) ? readJson(piece) : readYaml(piece), start)
  }

  function* documentsOf(result: Parsed, start: number): Generator<Document> {
    if ('values' in result) {
      for (const value of result.values) {
        number++
        if (value !== null && value !== undefined) yield { number, value }
      }
    } else problem(++number, `${position(text, start + result.problem.offset)}: ${result.problem.summary}`, result.problem.detail)
  }
}
