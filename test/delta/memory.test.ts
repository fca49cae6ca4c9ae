import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Batch } from '../../src/delta/batch.ts'
import type { Change } from '../../src/delta/change.ts'
import { NodeRules, type Transaction } from '../../src/delta/node-rules.ts'
import type { Operation } from '../../src/delta/operation.ts'
import { Owners } from '../../src/delta/owners.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { history } from '../support/arbitraries.ts'
import { MemoryTable } from '../support/memory-table.ts'

type Tables = Map<string, MemoryTable>

function applied(tables: Tables, transactions: readonly Transaction[]): void {
  for (const { family, operations } of transactions) {
    const table = tables.get(family) ?? new MemoryTable()
    tables.set(family, table)
    table.apply(operations)
  }
}

const lines = (tables: Tables, slots: boolean): (readonly [string, string[]])[] =>
  [...tables].map(([family, table]) => [family, table.lines({ slots })] as const).filter(([, list]) => list.length > 0)

describe('transactions applied one by one in memory give the full ruleset of the last objects', () => {
  test.each(Object.keys(LAYOUTS) as LayoutName[])('%s', layoutName => {
    const layout = LAYOUTS[layoutName]
    fc.assert(
      fc.property(history, ({ node, configuration, rounds }) => {
        const options = { layout, configuration, report: () => {} }
        const rules = new NodeRules(options)
        const stepwise: Tables = new Map()
        const changes: Change[] = [{ type: 'set', object: node }]
        applied(stepwise, rules.apply(changes))
        for (const round of rounds) {
          changes.push(...round)
          applied(stepwise, rules.apply(round))
          const atOnce: Tables = new Map()
          applied(atOnce, new NodeRules(options).apply(changes))
          expect(lines(stepwise, false)).toEqual(lines(atOnce, false))
        }
        // Slots are dense and the same in what the state says and in what was sent.
        const said: Tables = new Map()
        for (const { family, table, fragment } of rules.fragments()) {
          const batch = new Batch()
          batch.change('node', undefined, fragment)
          const operations: Operation[] = [{ verb: 'add', object: { kind: 'table' }, origins: ['node'] }, ...batch.finish(new Owners())]
          applied(said, [{ family, table, operations, changes: [] }])
        }
        expect(lines(stepwise, true)).toEqual(lines(said, true))
      }),
      { numRuns: 300 },
    )
  })
})
