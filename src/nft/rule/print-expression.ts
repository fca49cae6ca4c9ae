import { isQuotable, quoteInterface } from '../quote.ts'
import { markNumber, protocolName } from '../spelling.ts'
import { fields, isList, type Json, list, only, UnknownRule, word } from './rule.ts'
import { VERDICTS } from './verdict.ts'

/** By rank: those that bind closer come later. */
const OPERATORS: Readonly<Record<string, string>> = { '|': 'or', '^': 'xor', '&': 'and' }

/** An expression in canonical spelling. @throws UnknownRule */
export function printExpression(json: Json): string {
  if (typeof json === 'string') return json
  if (typeof json === 'number') return String(json)
  const [key, value] = only(json)
  const print = EXPRESSIONS.get(key)
  if (print === undefined) throw new UnknownRule()
  return print(value)
}

const EXPRESSIONS: ReadonlyMap<string, (json: Json) => string> = new Map([
  ...VERDICTS,
  ...Object.entries({ payload, meta, ct, fib, numgen, concat, prefix, range, map }),
  ...Object.keys(OPERATORS).map((operator, rank) => [operator, (json: Json) => calculation(operator, rank, json)] as const),
])

function payload(json: Json): string {
  const { protocol, field } = fields(json, 'protocol', 'field')
  return `${word(protocol)} ${word(field)}`
}

function meta(json: Json): string {
  const key = word(fields(json, 'key').key)
  return UNQUALIFIED.has(key) ? key : `meta ${key}`
}

function ct(json: Json): string {
  return `ct ${word(fields(json, 'key').key)}`
}

function fib(json: Json): string {
  const { result, flags = null } = fields(json, 'result', 'flags')
  return `fib ${typeof flags === 'string' ? flags : list(flags).map(word).join(' . ')} ${word(result)}`
}

function numgen(json: Json): string {
  const { mode, mod = null, offset = 0 } = fields(json, 'mode', 'mod', 'offset')
  return `numgen ${word(mode)} mod ${printExpression(mod)}${offset === 0 ? '' : ` offset ${printExpression(offset)}`}`
}

function concat(json: Json): string {
  return list(json).map(printExpression).join(' . ')
}

function prefix(json: Json): string {
  const { addr, len = null } = fields(json, 'addr', 'len')
  return `${word(addr)}/${printExpression(len)}`
}

function range(json: Json): string {
  const [from = null, to = null] = list(json)
  return `${printExpression(from)}-${printExpression(to)}`
}

function map(json: Json): string {
  const { key = null, data = null } = fields(json, 'key', 'data')
  return `${printExpression(key)} map ${printData(data, key)}`
}

/** Operators are read from the left, `and` before `xor` before `or`; what would need parentheses is not ours. */
function calculation(operator: string, rank: number, json: Json): string {
  const [left = null, right = null, more] = list(json)
  const inner = typeof left === 'object' ? Object.keys(OPERATORS).indexOf(only(left)[0]) : -1
  if (more !== undefined || (inner !== -1 && inner < rank)) throw new UnknownRule()
  return `${printExpression(left)} ${OPERATORS[operator]} ${printValue(right, left)}`
}

/** Keys of `meta` that are written without the word. */
const UNQUALIFIED: ReadonlySet<string> = new Set(['mark', 'iif', 'oif', 'iifname', 'oifname'])

/** How a value is spelled depends on what it is a value of. */
export type Kind = 'mark' | 'masked' | 'interface' | 'protocol' | 'flags' | 'plain'

export function kindOf(left: Json): Kind {
  if (left === null || typeof left !== 'object') return 'plain'
  const [kind, json] = only(left)
  if (kind === '&') return 'masked'
  if (kind === '^' || kind === '|') return kindOf(list(json)[0] ?? null)
  if (kind !== 'meta' && kind !== 'ct') return 'plain'
  const key = word(fields(json, 'key').key)
  if (key === 'mark') return 'mark'
  if (kind === 'ct') return key === 'state' || key === 'status' ? 'flags' : 'plain'
  return key === 'l4proto' ? 'protocol' : UNQUALIFIED.has(key) ? 'interface' : 'plain'
}

/** A value of `left`: what it is compared with, set to, or looked up in. @throws UnknownRule */
export function printValue(json: Json, left: Json): string {
  if (typeof json === 'string') return printWord(json, kindOf(left))
  if (typeof json === 'number') return printNumber(json, kindOf(left))
  if (json !== null && typeof json === 'object' && isList(json)) return json.map(word).join(',')
  const [key, value] = only(json)
  if (key === 'set') return printData(json, left)
  if (key !== 'concat') return printExpression(json)
  const [outer, parts] = only(left)
  const lefts = outer === 'concat' ? list(parts) : []
  return list(value)
    .map((part, index) => printValue(part, lefts[index] ?? null))
    .join(' . ')
}

function printWord(text: string, kind: Kind): string {
  if (text.startsWith('@')) return text
  if (!isQuotable(text)) throw new UnknownRule()
  return kind === 'interface' ? quoteInterface(text) : kind === 'protocol' ? protocolName(text) : text
}

function printNumber(number: number, kind: Kind): string {
  if (kind === 'protocol') return protocolName(number)
  if (kind === 'mark' || (kind === 'masked' && number !== 0)) return markNumber(number)
  return String(number)
}

/** An anonymous set or map of `left`, or the name of one. @throws UnknownRule */
export function printData(json: Json, left: Json): string {
  if (typeof json === 'string') return word(json)
  const items = list(fields(json, 'set').set).map(item => {
    if (item === null || typeof item !== 'object' || !isList(item)) return printValue(item, left)
    const [key = null, value = null] = item
    return `${printValue(key, left)} : ${printExpression(value)}`
  })
  return `{ ${items.join(' , ')} }`
}
