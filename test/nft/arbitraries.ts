import fc from 'fast-check'
import type { Command, NftObject } from '../../src/nft/objects.ts'
import type { TableName } from '../../src/nft/print.ts'

const chars = (alphabet: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength }).map(list => list.join(''))

/** A name that nft takes: of a table, chain, set or map. */
export const name: fc.Arbitrary<string> = fc
  .tuple(chars('abzAZ', 1, 1), chars('abzAZ019/_.-', 0, 30))
  .map(([first, rest]) => first + rest)
  .filter(text => !/^(type|typeof|policy|comment|flags|elements)$/.test(text))

/** The name of a set, never that of a map. */
const setName = name.map(text => `set-${text}`)

/** A comment that nft takes, with everything in it that means something elsewhere. */
export const comment: fc.Arbitrary<string> = fc.oneof(
  chars("ab ;{}#\\,:@$'`|&<>=.!*()[]é", 0, 60),
  fc.constantFrom(
    'add rule ip t c drop',
    'include "x"'.replaceAll('"', "'"),
    ' : goto x',
    '}',
    '# no comment',
    ', 1.2.3.4',
    ' timeout 1s expires 1s',
  ),
)

const number = fc.integer({ min: 0, max: 65_535 })
const ipv4 = fc.tuple(number, number).map(([a, b]) => `10.${a & 255}.${b & 255}.${b >> 8}`)
const ipv6 = fc.tuple(number, number).map(([a, b]) => `fd00:${(a | 1).toString(16)}::${(b | 1).toString(16)}`)
const part = fc.oneof(ipv4, ipv6, fc.constantFrom('tcp', 'udp', 'sctp'), number.map(String))
const tuple = fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join(' . '))
const verdict = fc.oneof(
  name.map(chain => `goto ${chain}`),
  name.map(chain => `jump ${chain}`),
  fc.constantFrom('drop', 'accept', 'return'),
)

const ruleBody = fc.oneof(
  verdict,
  name.map(set => `ip daddr . meta l4proto . th dport vmap @${set}`),
  fc.array(ipv4, { minLength: 1, maxLength: 4 }).map(addresses => `ip saddr != { ${addresses.join(' , ')} } drop`),
  fc
    .array(tuple, { minLength: 1, maxLength: 3 })
    .map(
      values =>
        `dnat ip addr . port to numgen random mod ${values.length} map { ${values.map((value, slot) => `${slot} : ${value}`).join(' , ')} }`,
    ),
)
const rule = fc.tuple(ruleBody, fc.option(comment)).map(([text, note]) => (note === null ? text : `${text} comment "${note}"`))

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })

function defined<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}

const hook = fc.record({
  type: fc.constantFrom('filter', 'nat' as const),
  hook: fc.constantFrom('prerouting', 'input', 'forward', 'output', 'postrouting' as const),
  priority: fc.integer({ min: -400, max: 400 }),
})
const type = fc
  .array(fc.constantFrom('ipv4_addr', 'ipv6_addr', 'inet_proto', 'inet_service'), { minLength: 1, maxLength: 4 })
  .map(types => types.join(' . '))
const expression = fc.constantFrom('ip daddr', 'ip daddr . tcp dport . numgen random mod 65536', 'meta l4proto . th dport')
const declared = fc.oneof(
  type.map(text => ({ type: text })),
  expression.map(text => ({ type: text, typeof: true })),
)
const details = {
  flags: optional(fc.subarray(['constant', 'dynamic', 'interval', 'timeout'], { minLength: 1 })),
  timeout: optional(fc.integer({ min: 1, max: 1e6 })),
  comment: optional(comment),
}

const addable: fc.Arbitrary<NftObject> = fc
  .oneof(
    fc.record({ kind: fc.constant('table' as const), comment: optional(comment) }),
    fc.record({ kind: fc.constant('chain' as const), name, hook: optional(hook), comment: optional(comment) }),
    fc.record({ kind: fc.constant('rule' as const), chain: name, text: rule }),
    fc
      .tuple(fc.record({ kind: fc.constant('set' as const), name: setName, ...details }), declared)
      .map(([set, what]) => ({ ...set, ...what })),
    fc
      .tuple(
        fc.record({ kind: fc.constant('map' as const), name, value: fc.oneof(type, expression, fc.constant('verdict')), ...details }),
        declared,
      )
      .map(([map, what]) => ({ ...map, ...what })),
    fc.record({ kind: fc.constant('element' as const), set: setName, map: fc.constant(false), key: tuple, comment: optional(comment) }),
    fc.record({
      kind: fc.constant('element' as const),
      set: name,
      map: fc.constant(true),
      key: tuple,
      value: fc.oneof(tuple, verdict),
      comment: optional(comment),
    }),
  )
  .map(object => defined<NftObject>(object as NftObject))

const removable: fc.Arbitrary<NftObject> = fc.oneof(
  fc.constant({ kind: 'table' as const }),
  fc.record({ kind: fc.constantFrom('chain', 'set', 'map' as const), name }),
)

/** Any command, as the parser gives it back: a deletion says no more than a name or key, and that of an element not whether it is one of a map. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: addable.map((object): Command => ({ verb: 'add', object })) },
  { weight: 1, arbitrary: removable.map((object): Command => ({ verb: 'delete', object })) },
  { weight: 1, arbitrary: removable.map((object): Command => ({ verb: 'flush', object })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(setName, tuple)
      .map(([set, key]): Command => ({ verb: 'delete', object: { kind: 'element', set, map: false, key } })),
  },
)

export const tableName: fc.Arbitrary<TableName> = fc.record({ family: fc.constantFrom('ipv4', 'ipv6' as const), table: name })
