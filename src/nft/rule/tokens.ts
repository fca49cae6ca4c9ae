import { UnknownRule } from './rule.ts'

export interface Token {
  readonly text: string
  readonly quoted: boolean
}

const TOKEN = /\s*(?:"([^"]*)"|([{},]|[^\s{},"]+))/y

/** Words, quoted strings and the punctuation `{ } ,` of a rule's text; undefined when a quote is left open. */
export function tokens(text: string): readonly Token[] | undefined {
  const found: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text)
    if (match === null) return undefined
    found.push({ text: match[1] ?? match[2] ?? '', quoted: match[1] !== undefined })
  }
  return found
}

/** Reads tokens one after the other. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(list: readonly Token[]) {
    this.#tokens = list
  }

  get done(): boolean {
    return this.#next >= this.#tokens.length
  }

  /** The next word; undefined when it is a quoted string or there is none. */
  peek(): string | undefined {
    const token = this.#tokens[this.#next]
    return token === undefined || token.quoted ? undefined : token.text
  }

  /** Takes the next token if it is this word. */
  accept(word: string): boolean {
    if (this.peek() !== word) return false
    this.#next++
    return true
  }

  expect(word: string): void {
    if (!this.accept(word)) throw new UnknownRule()
  }

  word(): string {
    const word = this.peek()
    if (word === undefined || PUNCTUATION.has(word)) throw new UnknownRule()
    this.#next++
    return word
  }

  /** The next word, when it is one of these. */
  oneOf(words: ReadonlySet<string>): string {
    const word = this.word()
    if (!words.has(word)) throw new UnknownRule()
    return word
  }

  /** A quoted string. */
  quoted(): string {
    const token = this.#tokens[this.#next++]
    if (token?.quoted !== true) throw new UnknownRule()
    return token.text
  }

  /** A string with or without quotes. */
  string(): string {
    return this.#tokens[this.#next]?.quoted === true ? this.quoted() : this.word()
  }

  number(): number {
    return parseNumber(this.word()) ?? raiseUnknown()
  }
}

const PUNCTUATION: ReadonlySet<string> = new Set(['{', '}', ','])

export function parseNumber(text: string): number | undefined {
  return /^(?:0x[\da-f]+|0|[1-9]\d*)$/.test(text) ? Number(text) : undefined
}

function raiseUnknown(): never {
  throw new UnknownRule()
}
