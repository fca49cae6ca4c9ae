import type { ElementData } from '../fragment.ts'
import type { Source } from './source.ts'

const COMMA = 0x2c
const QUOTE = 0x22
const CLOSE = 0x7d

/** Called for each element: its key and data. */
export type ElementVisitor = (key: string, data: ElementData) => void

/**
 * Reads elements in braces, `{ KEY comment "…" : VALUE , … }`, on any number of lines. Elements that expire are left out: rules of the table added them,
 * they are not configuration. Listings hold hundreds of thousands, so this goes over the text once, by character codes.
 */
export function readElements(source: Source, visit: ElementVisitor): void {
  source.expect('{')
  const { text } = source
  const opened = source.position
  let start = opened
  for (let i = opened; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      i = text.indexOf('"', i + 1)
      if (i === -1) source.fail('a quote is left open', start)
    } else if (code === COMMA || code === CLOSE) {
      const element = text.slice(start, i).trim()
      if (element !== '') readElement(element, visit)
      else if (code === COMMA) source.fail('an element expected', i)
      start = i + 1
      if (code === CLOSE) {
        source.position = start
        return
      }
    }
  }
  source.fail('a brace is left open', opened - 1)
}

/** What only some elements have. */
const SPECIAL = /"| (?:timeout|expires|counter) /

/** Between key and value can stand state of the kernel, and a comment. */
const ELEMENT = /^(.*?)(?: counter packets \d+ bytes \d+)?(?: timeout \S+)?( expires \S+)?(?: comment "([^"]*)")?(?: : (.*))?$/s

function readElement(element: string, visit: ElementVisitor): void {
  if (SPECIAL.test(element)) {
    const [, key = '', expires, comment, value] = ELEMENT.exec(element) ?? []
    if (expires === undefined) visit(key, elementData(value, comment))
    return
  }
  const colon = element.indexOf(' : ')
  if (colon === -1) visit(element, NO_DATA)
  else visit(element.slice(0, colon), { value: element.slice(colon + 3) })
}

const NO_DATA: ElementData = {}

function elementData(value: string | undefined, comment: string | undefined): ElementData {
  return { ...(value === undefined ? {} : { value }), ...(comment === undefined ? {} : { comment }) }
}
