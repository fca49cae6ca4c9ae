import { parseData, parseExpression, parseScalar, parseValue, parseVerdict } from './parse-expression.ts'
import { kindOf } from './print-expression.ts'
import { type Json, type Rule, UnknownRule } from './rule.ts'
import { TokenReader, tokens } from './tokens.ts'

/** A rule's text, in the layouts' spelling or that of a listing; undefined when it has something that kubenft does not write itself. */
export function parseRule(text: string): Rule | undefined {
  const found = tokens(text)
  if (found === undefined) return undefined
  const reader = new TokenReader(found)
  try {
    const expr: Json[] = []
    while (!reader.done) {
      if (reader.accept('comment')) {
        const comment = reader.quoted()
        return reader.done ? { expr, comment } : undefined
      }
      expr.push(parseStatement(reader))
    }
    return { expr }
  } catch (error) {
    if (error instanceof UnknownRule) return undefined
    throw error
  }
}

/**
 * The expressions of a `typeof`.
 * @throws Error when kubenft does not know them
 */
export function parseExpressionText(text: string): Json {
  const reader = new TokenReader(tokens(text) ?? [])
  const expression = parseExpression(reader)
  if (!reader.done) throw new UnknownRule()
  return expression
}

function parseStatement(reader: TokenReader): Json {
  const verdict = parseVerdict(reader)
  if (verdict !== undefined) return verdict
  const special = STATEMENTS.get(reader.peek() ?? '')
  if (special === undefined) return parseMatch(reader)
  return special(reader, reader.word())
}

const STATEMENTS: ReadonlyMap<string, (reader: TokenReader, keyword: string) => Json> = new Map([
  ['reject', reject],
  ['masquerade', masquerade],
  ['dnat', dnat],
  ['update', update],
  ['add', update],
  ['counter', counter],
])

function reject(reader: TokenReader): Json {
  if (!reader.accept('with')) return { reject: null }
  const type = reader.word()
  if (type === 'tcp') {
    reader.expect('reset')
    return { reject: { type: 'tcp reset' } }
  }
  reader.accept('type')
  return { reject: { type, expr: reader.word() } }
}

const NAT_FLAGS: ReadonlySet<string> = new Set(['random', 'fully-random', 'persistent'])

function masquerade(reader: TokenReader): Json {
  if (!NAT_FLAGS.has(reader.peek() ?? '')) return { masquerade: null }
  const flags = [reader.word()]
  while (reader.accept(',')) flags.push(reader.oneOf(NAT_FLAGS))
  return { masquerade: { flags: flags.length === 1 ? (flags[0] as string) : flags } }
}

function dnat(reader: TokenReader): Json {
  if (reader.accept('to')) {
    const target = reader.word()
    const [, addr, port] = /^\[?([\da-f.:]+?)\]?(?:(?<=\]|^[\d.]+):(\d+))?$/.exec(target) ?? []
    if (addr === undefined) throw new UnknownRule()
    return { dnat: port === undefined ? { addr } : { addr, port: Number(port) } }
  }
  const family = reader.word()
  // nft 1.0.6 lists `dnat ip to` for what was loaded as `dnat ip addr . port to`.
  if (!reader.accept('to')) for (const word of ['addr', '.', 'port', 'to']) reader.expect(word)
  const key = parseExpression(reader)
  reader.expect('map')
  return { dnat: { family, addr: { map: { key, data: parseData(reader, key) } } } }
}

function update(reader: TokenReader, op: string): Json {
  const set = reader.word()
  reader.expect('{')
  const elem = parseExpression(reader)
  reader.expect('}')
  return { set: { op, elem, set } }
}

/** The numbers that a listing has are state, not configuration. */
function counter(reader: TokenReader): Json {
  if (reader.accept('packets')) {
    reader.number()
    reader.expect('bytes')
    reader.number()
  }
  return { counter: null }
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!='])

function parseMatch(reader: TokenReader): Json {
  const left = parseExpression(reader)
  if (reader.accept('set')) return { mangle: { key: left, value: parseMangled(reader, left) } }
  if (reader.accept('vmap')) return { vmap: { key: left, data: parseData(reader, left) } }
  const explicit = COMPARISONS.has(reader.peek() ?? '') ? reader.word() : undefined
  const flags = kindOf(left) === 'flags' && reader.peek() !== '{'
  return { match: { op: explicit ?? (flags ? 'in' : '=='), left, right: parseValue(reader, left) } }
}

/** The value of a mark: a number, or a calculation with the mark. */
function parseMangled(reader: TokenReader, left: Json): Json {
  return /^(?:0x|\d)/.test(reader.peek() ?? '') ? parseScalar(reader, left) : parseExpression(reader)
}
