import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NodeRules } from '../../src/delta/node-rules.ts'
import { readTableJson } from '../../src/nft/json/read.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { readListing } from '../../src/nft/listing.ts'
import { parseScript } from '../../src/nft/parse.ts'
import { playCommands } from '../../src/nft/play.ts'
import { printScript, tablePath } from '../../src/nft/print.ts'
import { respell } from '../../src/nft/respell.ts'
import { history } from '../support/arbitraries.ts'
import { GOLDEN_CASES } from '../support/golden.ts'
import { inNamespace, loading } from '../support/kernel.ts'
import { contentsOf, goldenTables, listings, loadable, plain, SEPARATOR } from './tables.ts'

describe.each(Object.keys(LAYOUTS) as LayoutName[])('a table of layout %s in the kernel', layoutName => {
  const tables = goldenTables(layoutName)
  for (const { fragment } of tables) {
    for (const [chain, body] of fragment.chains) fragment.chains.set(chain, { ...body, rules: body.rules.map(loadable) })
  }

  test('reads back from its JSON listing as what was loaded, in the same words', () => {
    for (const [index, listing] of listings(tables, 'nft -j').entries()) {
      const { title, name, fragment } = tables[index]!
      const live = readTableJson(listing, name)
      expect(plain(respell(live!, contentsOf(fragment, undefined))), title).toEqual(plain(contentsOf(fragment, undefined)))
    }
  })

  test('reads back from its text listing, comments and all', () => {
    for (const [index, listing] of listings(tables, 'nft').entries()) {
      const { title, name, fragment } = tables[index]!
      const live = readListing(listing, name)
      expect(plain(respell(live!, contentsOf(fragment, undefined))), title).toEqual(
        plain(contentsOf(fragment, LAYOUTS[layoutName].tableComment)),
      )
    }
  })
})

describe('tables of random clusters, as their transactions left them in the kernel, read back from both listings', () => {
  test.each(Object.keys(LAYOUTS) as LayoutName[])('%s', layoutName => {
    const layout = LAYOUTS[layoutName]
    fc.assert(
      fc.property(history, ({ node, configuration, rounds }) => {
        const rules = new NodeRules({ layout, configuration, report: () => {} })
        const steps = [[{ type: 'set', object: node } as const], ...rounds].flatMap(round =>
          rules.apply(round).map(transaction => loadable(printScript(transaction.operations, transaction))),
        )
        const tables = rules.fragments()
        const output = inNamespace(
          [
            ...steps.filter(step => step !== '').map(loading),
            ...tables.flatMap(({ family, table }) =>
              ['nft', 'nft -j'].map(command => `${command} list table ${tablePath({ family, table })}; echo; echo '${SEPARATOR}'\n`),
            ),
          ].join(''),
        ).split(`${SEPARATOR}\n`)
        for (const [index, { family, table, fragment }] of tables.entries()) {
          for (const [chain, body] of fragment.chains) fragment.chains.set(chain, { ...body, rules: body.rules.map(loadable) })
          const text = readListing(output[index * 2]!, { family, table })!
          const json = readTableJson(output[index * 2 + 1]!, { family, table })!
          expect(plain(respell(text, contentsOf(fragment, undefined)))).toEqual(plain(contentsOf(fragment, layout.tableComment)))
          expect(plain(respell(json, contentsOf(fragment, undefined)))).toEqual(plain(contentsOf(fragment, undefined)))
        }
      }),
      { numRuns: 25 },
    )
  })
})

test('every golden ruleset reads back from a text listing as its script says', () => {
  const scripts = GOLDEN_CASES.flatMap(({ folder }) =>
    readdirSync(path.join(folder, 'expected'))
      .filter(file => file.endsWith('.nft'))
      .map(file => path.join(folder, 'expected', file)),
  ).map(file => {
    const script = loadable(readFileSync(file, 'utf8'))
    return { file, script, ...parseScript(script, file) }
  })
  expect(scripts.length).toBeGreaterThan(200)
  const found = listings(
    scripts.map(({ script, name }) => ({ script, name: name! })),
    'nft',
  )
  for (const [index, { file, name, commands }] of scripts.entries()) {
    expect(plain(readListing(found[index]!, name!)), file).toEqual(plain(playCommands(commands)))
  }
})
