import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/delta/change.ts'
import { NodeRules } from '../../src/delta/node-rules.ts'
import type { TableContents } from '../../src/nft/contents.ts'
import type { Fragment } from '../../src/nft/fragment.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { printScript } from '../../src/nft/print.ts'
import { printTable } from '../../src/nft/table-text.ts'
import { history } from '../support/arbitraries.ts'

function contents({ chains, sharedChains, sets, maps, elements, sharedElements }: Fragment): TableContents {
  return {
    comment: undefined,
    chains: new Map([...chains, ...[...sharedChains].map(([name, { rules }]) => [name, { rules: rules() }] as const)]),
    sets,
    maps,
    elements: new Map([
      ...elements,
      ...[...sharedElements].map(([name, counts]) => [name, new Map([...counts.keys()].map(key => [key, {}]))] as const),
    ]),
  }
}

function live(rules: NodeRules): Record<string, TableContents> {
  return Object.fromEntries(rules.fragments().map(({ family, fragment }) => [family, contents(fragment)]))
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
})
