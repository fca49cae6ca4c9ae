import { parseAddress } from '../../address.ts'
import { kindOf } from './print-expression.ts'
import { type Json, list, only, UnknownRule } from './rule.ts'
import { parseNumber, type TokenReader } from './tokens.ts'

const BARE_VERDICTS: ReadonlySet<string> = new Set(['accept', 'drop', 'return', 'continue'])

/** A verdict, if one comes next. */
export function parseVerdict(reader: TokenReader): Json | undefined {
  const next = reader.peek() ?? ''
  if (BARE_VERDICTS.has(next)) return { [reader.word()]: null }
  return next === 'jump' || next === 'goto' ? { [reader.word()]: { target: reader.word() } } : undefined
}

const OPERATORS: ReadonlyMap<string, { readonly sign: string; readonly rank: number }> = new Map(
  ['or |', 'xor ^', 'and &'].flatMap((words, rank) => {
    const [word = '', sign = ''] = words.split(' ')
    return [word, sign].map(spelling => [spelling, { sign, rank }] as const)
  }),
)

/** An expression: a concatenation, and calculations with numbers from the left. */
export function parseExpression(reader: TokenReader): Json {
  let left = parseConcatenation(reader)
  let last = 2
  for (let operator = OPERATORS.get(reader.peek() ?? ''); operator !== undefined; operator = OPERATORS.get(reader.peek() ?? '')) {
    // One that binds closer than the last would have to take its right side only.
    if (operator.rank > last) throw new UnknownRule()
    last = operator.rank
    reader.word()
    left = { [operator.sign]: [left, reader.number()] }
  }
  return left
}

function parseConcatenation(reader: TokenReader): Json {
  const parts = [parsePrimary(reader)]
  while (reader.accept('.')) parts.push(parsePrimary(reader))
  return parts.length === 1 ? (parts[0] as Json) : { concat: parts }
}

const PROTOCOLS: ReadonlySet<string> = new Set(['ip', 'ip6', 'tcp', 'udp', 'sctp', 'th'])
const FIELDS: ReadonlySet<string> = new Set(['saddr', 'daddr', 'sport', 'dport'])
const META: ReadonlySet<string> = new Set(['mark', 'iif', 'oif', 'iifname', 'oifname', 'l4proto'])
const CONNTRACK: ReadonlySet<string> = new Set(['state', 'status', 'mark'])
const FIB_FLAGS: ReadonlySet<string> = new Set(['saddr', 'daddr', 'mark', 'iif', 'oif'])
const FIB_RESULTS: ReadonlySet<string> = new Set(['type', 'oif', 'oifname'])
const MODES: ReadonlySet<string> = new Set(['random', 'inc'])

function parsePrimary(reader: TokenReader): Json {
  const keyword = reader.word()
  if (PROTOCOLS.has(keyword)) return { payload: { protocol: keyword, field: reader.oneOf(FIELDS) } }
  if (keyword === 'meta') return { meta: { key: reader.oneOf(META) } }
  if (keyword === 'ct') return { ct: { key: reader.oneOf(CONNTRACK) } }
  if (keyword === 'fib') {
    const flags = [reader.oneOf(FIB_FLAGS)]
    while (reader.accept('.')) flags.push(reader.oneOf(FIB_FLAGS))
    return { fib: { result: reader.oneOf(FIB_RESULTS), flags } }
  }
  if (keyword === 'numgen') {
    const mode = reader.oneOf(MODES)
    reader.expect('mod')
    return { numgen: { mode, mod: reader.number(), offset: reader.accept('offset') ? reader.number() : 0 } }
  }
  if (keyword !== 'l4proto' && META.has(keyword)) return { meta: { key: keyword } }
  throw new UnknownRule()
}

/** What `left` is compared with. */
export function parseValue(reader: TokenReader, left: Json): Json {
  if (reader.peek() === '{') return parseBraces(reader, left)
  if (reader.peek()?.startsWith('@')) return reader.word()
  if (kindOf(left) !== 'flags') return parseScalars(reader, left)
  const flags = [reader.word()]
  while (reader.accept(',')) flags.push(reader.word())
  return flags.length === 1 ? (flags[0] as string) : flags
}

/** The map that `left` is looked up in. */
export function parseData(reader: TokenReader, left: Json): Json {
  if (reader.peek() === '{') return parseBraces(reader, left)
  const name = reader.word()
  if (!name.startsWith('@')) throw new UnknownRule()
  return name
}

function parseBraces(reader: TokenReader, left: Json): Json {
  reader.expect('{')
  const items: Json[] = []
  do {
    const key = parseScalars(reader, left)
    items.push(reader.accept(':') ? [key, parseVerdict(reader) ?? parseScalars(reader, null)] : key)
  } while (reader.accept(','))
  reader.expect('}')
  return { set: items }
}

/** One value, or several joined by dots. */
function parseScalars(reader: TokenReader, left: Json): Json {
  const lefts = left !== null && typeof left === 'object' && only(left)[0] === 'concat' ? list(only(left)[1]) : [left]
  const parts = [parseScalar(reader, lefts[0] ?? null)]
  while (reader.accept('.')) parts.push(parseScalar(reader, lefts[parts.length] ?? null))
  return parts.length === 1 ? (parts[0] as Json) : { concat: parts }
}

/** One value of `left`. */
export function parseScalar(reader: TokenReader, left: Json): Json {
  if (left !== null && kindOf(left) === 'interface') return reader.string()
  const text = reader.word()
  const [, masked, bits] = /^(0x[\da-f]+)\/(\d+)$/.exec(text) ?? []
  if (masked !== undefined) return { prefix: { addr: Number(masked), len: Number(bits) } }
  const [first = '', last, more] = text.split(/[/-]/)
  if (last === undefined || more !== undefined || parseAddress(first) === undefined) return parseNumber(text) ?? text
  if (text.includes('/')) return { prefix: { addr: first, len: Number(last) } }
  return { range: [first, last] }
}
