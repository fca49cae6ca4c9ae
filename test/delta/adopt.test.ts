import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/delta/change.ts'
import { NodeRules, type Transaction } from '../../src/delta/node-rules.ts'
import { contentsOf, type TableContents } from '../../src/nft/contents.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { printScript } from '../../src/nft/print.ts'
import { printTable } from '../../src/nft/table-text.ts'
import { history } from '../support/arbitraries.ts'
import { MemoryTable } from '../support/memory-table.ts'

function live(rules: NodeRules): Record<string, TableContents> {
  return Object.fromEntries(rules.fragments().map(({ family, fragment }) => [family, contentsOf(fragment)]))
}

describe.each(Object.keys(LAYOUTS) as LayoutName[])('a restart in layout %s', layoutName => {
  const layout = LAYOUTS[layoutName]

  test('finds nothing to do, keeps every slot, and goes on as if it had never stopped', () => {
    fc.assert(
      fc.property(history, ({ node, configuration, rounds }) => {
        const past: Change[][] = [[{ type: 'set', object: node }], ...rounds.slice(0, -1)]
        const running = new NodeRules({ layout, configuration, report: () => {} })
        for (const round of past) running.apply(round)

        const restarted = new NodeRules({ layout, configuration, report: () => {} })
        const found = restarted.apply(past.flat(), live(running))
        expect(found.flatMap(({ operations }) => operations)).toEqual([])

        const last = rounds.at(-1) as Change[]
        const scripts = (rules: NodeRules): string[] =>
          rules.apply(last).map(transaction => printScript(transaction.operations, transaction).split('\n').sort().join('\n'))
        expect(scripts(restarted)).toEqual(scripts(running))
        const texts = (rules: NodeRules): string[] =>
          rules.fragments().map(({ family, table, fragment }) => printTable(fragment, { family, table }, layout.tableComment))
        expect(texts(restarted)).toEqual(texts(running))
      }),
      { numRuns: 200 },
    )
  })

  test('from a table of another time, with damage, leads to what is asked for, and goes on from there', () => {
    fc.assert(
      fc.property(history, fc.nat(), ({ node, configuration, rounds }, seed) => {
        const options = { layout, configuration, report: () => {} }
        const [first, ...later] = rounds
        const earlier = new NodeRules(options)
        earlier.apply([{ type: 'set', object: node }, ...(first ?? [])])
        const found = Object.fromEntries(Object.entries(live(earlier)).map(([family, table]) => [family, damaged(table, seed)]))
        const tables = new Map(Object.entries(found).map(([family, table]) => [family, holding(table)]))
        const take = (transactions: readonly Transaction[]): void => {
          for (const { family, operations } of transactions) {
            const table = tables.get(family) ?? new MemoryTable()
            tables.set(family, table)
            table.apply(operations)
          }
        }

        const rules = new NodeRules(options)
        const last = later.pop() ?? []
        take(rules.apply([{ type: 'set', object: node }, ...(first ?? []), ...later.flat()], found))
        // A table of a family that the node has no more is not the rules' business: apply deletes it.
        for (const family of tables.keys()) if (!rules.fragments().some(ruleset => ruleset.family === family)) tables.delete(family)
        expect(linesOf(tables)).toEqual(linesOf(held(rules)))
        take(rules.apply(last))
        expect(linesOf(tables)).toEqual(linesOf(held(rules)))
      }),
      { numRuns: 200 },
    )
  })
})

/** The table without some of its elements and rules, and with a chain that nobody asked for. */
function damaged(table: TableContents, seed: number): TableContents {
  const kept = (index: number): boolean => (seed + index) % 5 !== 0
  const chains = new Map(
    [...table.chains].map(([name, { rules, ...options }], index) => [name, { ...options, rules: kept(index) ? rules : rules.slice(1) }]),
  )
  const elements = new Map([...table.elements].map(([name, keys]) => [name, new Map([...keys].filter((_, index) => kept(index)))] as const))
  return { ...table, chains: chains.set('strange', { rules: ['drop'] }), elements }
}

/** What a table holds, in the memory of a strict kernel. */
function holding(table: TableContents): MemoryTable {
  const memory = new MemoryTable()
  memory.apply([{ verb: 'add', object: { kind: 'table' } }])
  for (const [name, { rules: _, ...options }] of table.chains) memory.apply([{ verb: 'add', object: { kind: 'chain', name, ...options } }])
  for (const [name, set] of table.sets) memory.apply([{ verb: 'add', object: { kind: 'set', name, ...set } }])
  for (const [name, map] of table.maps) memory.apply([{ verb: 'add', object: { kind: 'map', name, ...map } }])
  for (const [chain, { rules }] of table.chains) memory.apply(rules.map(text => ({ verb: 'add', object: { kind: 'rule', chain, text } })))
  for (const [set, keys] of table.elements) {
    const map = table.maps.has(set)
    memory.apply([...keys].map(([key, data]) => ({ verb: 'add', object: { kind: 'element', set, map, key, ...data } })))
  }
  return memory
}

function held(rules: NodeRules): Map<string, MemoryTable> {
  return new Map(rules.fragments().map(({ family, fragment }) => [family, holding(contentsOf(fragment))]))
}

function linesOf(tables: ReadonlyMap<string, MemoryTable>): (readonly [string, string[]])[] {
  return [...tables]
    .map(([family, table]) => [family, table.lines()] as const)
    .filter(([, lines]) => lines.length > 0)
    .sort()
}
