import { isComment, quoteComment } from '../quote.ts'
import { kindOf, printData, printExpression, printValue } from './print-expression.ts'
import { fields, type Json, list, object, only, type Rule, UnknownRule, word } from './rule.ts'
import { VERDICTS } from './verdict.ts'

/** A rule in the canonical spelling of the layouts; undefined when it has something that kubenft does not write itself. */
export function printRule({ expr, comment }: Rule): string | undefined {
  if (comment !== undefined && !isComment(comment)) return undefined
  const text = known(() => expr.map(printStatement).join(' '))
  return comment === undefined || text === undefined ? text : `${text} comment ${quoteComment(comment)}`
}

/** An expression alone, such as that of a `typeof`; undefined when it is not known. */
export function expressionText(json: Json): string | undefined {
  return known(() => printExpression(json))
}

function known(print: () => string): string | undefined {
  try {
    return print()
  } catch (error) {
    if (error instanceof UnknownRule) return undefined
    throw error
  }
}

function printStatement(json: Json): string {
  const [key, value] = only(json)
  const print = STATEMENTS.get(key)
  if (print === undefined) throw new UnknownRule()
  return print(value)
}

const STATEMENTS: ReadonlyMap<string, (json: Json) => string> = new Map([
  ...VERDICTS,
  ...Object.entries({ match, mangle, vmap, dnat, masquerade, reject, set, counter }),
])

function match(json: Json): string {
  const { op, left = null, right = null } = fields(json, 'op', 'left', 'right')
  const kind = kindOf(left)
  // `in` is nft's word for a match of flags without an operator.
  if (op === 'in' && kind !== 'flags') throw new UnknownRule()
  const operator = op === 'in' || (op === '==' && kind !== 'masked') ? '' : `${word(op)} `
  return `${printExpression(left)} ${operator}${printValue(right, left)}`
}

function mangle(json: Json): string {
  const { key = null, value = null } = fields(json, 'key', 'value')
  return `${printExpression(key)} set ${printValue(value, key)}`
}

function vmap(json: Json): string {
  const { key = null, data = null } = fields(json, 'key', 'data')
  return `${printExpression(key)} vmap ${printData(data, key)}`
}

function dnat(json: Json): string {
  const { family, addr = null, port } = fields(json, 'family', 'addr', 'port')
  if (typeof addr === 'string') {
    if (port === undefined) return `dnat to ${addr}`
    return `dnat to ${addr.includes(':') ? `[${addr}]` : addr}:${printExpression(port)}`
  }
  const [kind, map] = only(addr)
  if (port !== undefined || family === undefined || kind !== 'map') throw new UnknownRule()
  return `dnat ${word(family)} ${givesPorts(map) ? 'addr . port ' : ''}to ${printExpression(addr)}`
}

/** nft 1.0.6 lists no `addr . port`: an anonymous map shows whether it gives a port too, and the named ones that kubenft writes all do. */
function givesPorts(map: Json): boolean {
  const { data = null } = object(map)
  return typeof data === 'string' || list(object(data)['set']).every(item => typeof list(item)[1] === 'object')
}

function masquerade(json: Json): string {
  if (json === null) return 'masquerade'
  const { flags = null } = fields(json, 'flags')
  return `masquerade ${typeof flags === 'string' ? flags : list(flags).map(word).join(',')}`
}

function reject(json: Json): string {
  if (json === null) return 'reject'
  const { type, expr } = fields(json, 'type', 'expr')
  if ((type === 'icmp' || type === 'icmpv6') && expr === 'port-unreachable') return 'reject'
  return `reject with ${word(type)}${expr === undefined ? '' : ` ${word(expr)}`}`
}

function set(json: Json): string {
  const { op, elem = null, set: name } = fields(json, 'op', 'elem', 'set')
  return `${word(op)} ${word(name)} { ${printExpression(elem)} }`
}

/** Its numbers are state, not configuration. */
function counter(): string {
  return 'counter'
}
