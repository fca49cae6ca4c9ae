import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NodeRules } from '../../src/delta/node-rules.ts'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import type { Command, NftObject } from '../../src/nft/objects.ts'
import { parseScript } from '../../src/nft/parse.ts'
import { printScript } from '../../src/nft/print.ts'
import { printTable } from '../../src/nft/table-text.ts'
import { history } from '../support/arbitraries.ts'
import { comparable, GOLDEN_CASES } from '../support/golden.ts'
import { command, tableName } from './arbitraries.ts'

describe('a script reads back as the commands that were printed', () => {
  test('any commands, with hostile names and comments', () => {
    fc.assert(
      fc.property(tableName, fc.array(command, { minLength: 1, maxLength: 8 }), (name, commands) => {
        expect(parseScript(printScript(commands, name))).toEqual({ name, commands })
      }),
      { numRuns: 2000 },
    )
  })

  test.each(Object.keys(LAYOUTS) as LayoutName[])('rulesets and transactions of random clusters, layout %s', layoutName => {
    const layout = LAYOUTS[layoutName]
    fc.assert(
      fc.property(history, ({ node, configuration, rounds }) => {
        const rules = new NodeRules({ layout, configuration, report: () => {} })
        for (const round of [[{ type: 'set', object: node } as const], ...rounds]) {
          for (const { family, table, operations } of rules.apply(round)) {
            const commands = operations.map(({ verb, object }) => ({ verb, object: verb === 'delete' ? named(object) : object }))
            const read = parseScript(printScript(operations, { family, table })).commands
            expect(read.map(({ verb, object }) => ({ verb, object: verb === 'delete' ? named(object) : object }))).toEqual(commands)
          }
        }
        for (const { family, table, fragment } of rules.fragments()) {
          const script = printTable(fragment, { family, table }, layout.tableComment)
          const { name, commands } = parseScript(script)
          expect(name).toEqual({ family, table })
          expect(printScript(commands, { family, table })).toBe(script)
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** What a deletion says: for an element neither its value nor whether it is one of a map. */
function named(object: NftObject): object {
  if (object.kind !== 'element') return object
  const { kind, set, key } = object
  return { kind, set, key }
}

test('every golden ruleset and transaction is read and printed again', () => {
  const files = GOLDEN_CASES.flatMap(({ folder }) =>
    readdirSync(path.join(folder, 'expected'))
      .filter(file => /\.(nft|transaction)$/.test(file))
      .map(file => path.join(folder, 'expected', file)),
  )
  expect(files.length).toBeGreaterThan(250)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const { name, commands } = parseScript(text, file)
    const printed = name === undefined ? '' : printScript(commands, name)
    // A deletion is printed without the value, which kube-proxy adds.
    const expected = text.replaceAll(/^(delete element .*?)(?: comment "[^"]*")? : .* \}$/gm, '$1 }')
    expect(comparable(printed), file).toEqual(comparable(expected))
  }
})

describe('what nft takes besides', () => {
  const parsed = (text: string): readonly Command[] => parseScript(text).commands

  test('several commands a line, comments, lines that go on', () => {
    expect(parsed('# first\nadd table ip t;add chain ip t c # a chain\n\nadd rule ip t \\\n c drop\n')).toEqual([
      { verb: 'add', object: { kind: 'table' } },
      { verb: 'add', object: { kind: 'chain', name: 'c' } },
      { verb: 'add', object: { kind: 'rule', chain: 'c', text: 'drop' } },
    ])
  })

  test('several elements a command, over lines', () => {
    expect(parsed('add element ip t m { 1.2.3.4 . 80 : goto a,\n  1.2.3.5 . 80 comment "b, } c" : drop }')).toEqual([
      { verb: 'add', object: { kind: 'element', set: 'm', map: true, key: '1.2.3.4 . 80', value: 'goto a' } },
      { verb: 'add', object: { kind: 'element', set: 'm', map: true, key: '1.2.3.5 . 80', value: 'drop', comment: 'b, } c' } },
    ])
  })

  test('blocks over lines, times in units, priorities by name', () => {
    expect(
      parsed(`add chain ip t c {
        type filter hook prerouting priority dstnat - 10
        policy accept; comment "x"
      }
      add set ip t s { type ipv4_addr . inet_service; flags dynamic, timeout; timeout 1d2h3m4s; size 65535 }`),
    ).toEqual([
      {
        verb: 'add',
        object: { kind: 'chain', name: 'c', hook: { type: 'filter', hook: 'prerouting', priority: -110 }, comment: 'x' },
      },
      {
        verb: 'add',
        object: { kind: 'set', name: 's', type: 'ipv4_addr . inet_service', flags: ['dynamic', 'timeout'], timeout: 93_784 },
      },
    ])
  })

  test('a deletion in a script that declares the map is one of a map element', () => {
    const map = 'add map ip t m { type ipv4_addr : verdict ; }\n'
    expect(parsed(`${map}delete element ip t m { 1.2.3.4 }`).at(-1)?.object).toMatchObject({ map: true, key: '1.2.3.4' })
  })
})

test.each([
  ['add rule ip t', 'the name of a chain expected', 'line 1, column 14'],
  ['add table ip t\nadd rule ip t c', 'a rule expected', 'line 2, column 16'],
  ['add table ip t\n  create chain ip t c', '`add`, `delete` or `flush` expected', 'line 2, column 3'],
  ['add chian ip t c', 'a table, chain, rule, set, map or element expected', 'line 1, column 5'],
  ['add table inet t', 'the family `ip` or `ip6` expected', 'line 1, column 11'],
  ['add table ip t\nadd table ip u', 'a script about one table expected', 'line 2, column 11'],
  ['add table ip t { comment "x ; }', 'a quote is left open', 'line 1, column 26'],
  ['add chain ip t c { type filter hook input priority 0', 'a brace is left open', 'line 1, column 53'],
  ['add chain ip t c { type filter hook input priority high ; }', 'a priority expected', 'line 1, column 52'],
  ['add chain ip t c { drop ; }', '`type`, `policy` or `comment` expected', 'line 1, column 20'],
  ['add set ip t s { kind ipv4_addr ; }', 'an option of a set or map expected', 'line 1, column 18'],
  ['add set ip t s { type ipv4_addr ; timeout soon ; }', 'a time expected', 'line 1, column 43'],
  ['add element ip t s 1.2.3.4', '`{` expected', 'line 1, column 20'],
  ['add element ip t s { 1.2.3.4', 'a brace is left open', 'line 1, column 20'],
  ['add element ip t s { 1.2.3.4, , 1.2.3.5 }', 'an element expected', 'line 1, column 31'],
  ['add rule ip t c ip saddr { 1.2.3.4', 'a brace is left open', 'line 1, column 17'],
  ['add chain ip t c d', 'the end of the command expected', 'line 1, column 18'],
  ['}', 'a command expected', 'line 1, column 1'],
])('%j is refused: %s, %s', (script, summary, place) => {
  const error = thrown(() => parseScript(script, 'rules.nft'))
  expect(error.diagnostics).toMatchObject([{ severity: 'error', summary, place: { file: 'rules.nft', path: place } }])
})

function thrown(act: () => unknown): DiagnosticsError {
  try {
    act()
  } catch (error) {
    if (error instanceof DiagnosticsError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
