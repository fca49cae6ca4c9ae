import { describe, expect, test } from 'vitest'
import { readTableJson } from '../../src/nft/json/read.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { respell } from '../../src/nft/respell.ts'
import { contentsOf, goldenTables, listings, loadable } from './tables.ts'

describe.each(Object.keys(LAYOUTS) as LayoutName[])('the JSON listing of layout %s', layoutName => {
  test('reads back as what was loaded, in the same words', () => {
    const tables = goldenTables(layoutName)
    for (const [index, listing] of listings(tables, 'nft -j').entries()) {
      const { title, name, fragment } = tables[index]!
      for (const [chain, body] of fragment.chains) fragment.chains.set(chain, { ...body, rules: body.rules.map(loadable) })
      const live = readTableJson(listing, name)
      expect(live, title).toBeDefined()
      expect(respell(live!, fragment), title).toEqual(contentsOf(fragment, undefined))
    }
  })
})
