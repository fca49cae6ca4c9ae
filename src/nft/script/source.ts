import { DiagnosticsError } from '../../diagnostics.ts'

/** An nft script or listing, read from front to back. Statements end at a newline or `;` outside braces and quotes; `#` starts a comment. */
export class Source {
  readonly text: string
  readonly #file: string | undefined
  position = 0

  constructor(text: string, file?: string) {
    this.text = text
    this.#file = file
  }

  get done(): boolean {
    return this.position >= this.text.length
  }

  /** Where the next word begins. */
  get next(): number {
    this.#skipBlank()
    return this.position
  }

  /** Skips spaces and tabs, and newlines that a backslash hides. */
  #skipBlank(): void {
    this.#skip(/(?:[ \t\r]|\\\n)*/y)
  }

  /** Skips everything between statements. */
  skipEnds(): void {
    this.#skip(/(?:[\s;]|#[^\n]*)*/y)
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.position
    pattern.test(this.text)
    this.position = pattern.lastIndex
  }

  /** The next word of the statement; empty at its end. Braces are words of their own. */
  peek(): string {
    this.#skipBlank()
    WORD.lastIndex = this.position
    return WORD.exec(this.text)?.[0] ?? ''
  }

  word(what: string): string {
    const word = this.peek()
    if (word === '' || word === '{' || word === '}') this.fail(`${what} expected`)
    this.position += word.length
    return word
  }

  /** Takes the next word if it is this one. */
  accept(word: string): boolean {
    if (this.peek() !== word) return false
    this.position += word.length
    return true
  }

  expect(word: string): void {
    if (!this.accept(word)) this.fail(`\`${word}\` expected`)
  }

  /** The rest of the statement; anonymous sets in it may go over lines. */
  statement(): string {
    this.#skipBlank()
    const start = this.position
    let depth = 0
    for (;;) {
      STOP.lastIndex = this.position
      const stop = STOP.exec(this.text)
      this.position = stop === null ? this.text.length : stop.index
      const sign = stop?.[0]
      if (sign === '{') depth++
      else if (sign === '}' && depth > 0) depth--
      else if (sign === '"') this.position = this.#closingQuote()
      else if (depth === 0) break
      else if (sign === '#') this.#skip(/[^\n]*/y)
      else if (sign === undefined) this.fail('a brace is left open', start)
      this.position++
    }
    return this.text.slice(start, this.position).trim()
  }

  /** Nothing more may stand in the statement. */
  end(): void {
    const position = this.position
    if (this.statement() !== '') this.fail('the end of the command expected', position)
  }

  /** A quoted string. */
  quoted(): string {
    this.#skipBlank()
    if (this.text[this.position] !== '"') this.fail('a quoted string expected')
    const start = this.position + 1
    this.position = this.#closingQuote() + 1
    return this.text.slice(start, this.position - 1)
  }

  #closingQuote(): number {
    const end = this.text.indexOf('"', this.position + 1)
    if (end === -1) this.fail('a quote is left open')
    return end
  }

  /** @throws DiagnosticsError that names the line and column, of the next sign unless told. */
  fail(problem: string, position = this.position): never {
    const before = this.text.slice(0, position)
    const line = before.split('\n').length
    const column = position - before.lastIndexOf('\n')
    const found = /^[^\n]{1,40}/.exec(this.text.slice(position))?.[0]
    throw new DiagnosticsError([
      {
        severity: 'error',
        summary: problem,
        detail: found === undefined ? 'The text ends here.' : `Here: ${found}`,
        place: { ...(this.#file === undefined ? {} : { file: this.#file }), path: `line ${line}, column ${column}` },
      },
    ])
  }
}

const WORD = /[{}]|[^\s;{}"]+/y
const STOP = /[{};"\n#]/g
