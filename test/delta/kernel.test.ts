import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/delta/change.ts'
import { NodeRules } from '../../src/delta/node-rules.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { printScript } from '../../src/nft/print.ts'
import { printTable } from '../../src/nft/table-text.ts'
import { history } from '../support/arbitraries.ts'
import { inNamespace, loading, normalized } from '../support/kernel.ts'

/** kube-proxy 1.34 matches interfaces by index (`iif`), which needs the interface to exist and takes no wildcard; the kernel gets the name instead. */
function loadable(script: string): string {
  return script.replaceAll(/ iif (?=!= |\S+\*? )/g, ' iifname ')
}

/** Applies every transaction in the kernel, lists the tables, then loads the full rulesets into an empty kernel and lists those. */
function both(
  layoutName: LayoutName,
  changes: readonly (readonly Change[])[],
  options: Pick<ConstructorParameters<typeof NodeRules>[0], 'configuration'>,
): [string[][], string[][]] {
  const layout = LAYOUTS[layoutName]
  const rules = new NodeRules({ layout, ...options, report: () => {} })
  const steps = changes.flatMap(round => rules.apply(round).map(transaction => printScript(transaction.operations, transaction)))
  const full = rules.fragments().map(({ family, table, fragment }) => ({
    path: `${family === 'ipv4' ? 'ip' : 'ip6'} ${table}`,
    text: printTable(fragment, { family, table }, layout.tableComment),
  }))
  // The names of all tables come first, so that a table left over is seen.
  const list = ['nft -j list tables; echo\n', ...full.map(({ path }) => `nft -j list table ${path}; echo\n`)].join('')
  const output = inNamespace(
    [
      ...steps.filter(text => text !== '').map(text => loading(loadable(text))),
      list,
      'nft list tables >&2; nft flush ruleset\n',
      ...full.map(({ text }) => loading(loadable(text))),
      list,
    ].join(''),
  )
  const listings = output
    .split('\n')
    .filter(line => line !== '')
    .map(normalized)
  return [listings.slice(0, full.length + 1), listings.slice(full.length + 1)]
}

describe('transactions applied one by one in the kernel give the full ruleset', () => {
  test.each(Object.keys(LAYOUTS) as LayoutName[])('%s', layoutName => {
    fc.assert(
      fc.property(history, ({ node, configuration, rounds }) => {
        const [stepwise, full] = both(layoutName, [[{ type: 'set', object: node }], ...rounds], { configuration })
        expect(stepwise.length).toBeGreaterThan(1)
        expect(stepwise).toEqual(full)
      }),
      { numRuns: 100 },
    )
  })
})
