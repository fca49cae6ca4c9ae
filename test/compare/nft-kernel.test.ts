import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareTable } from '../../src/compare/nft/compare-table.ts'
import { readTable } from '../../src/compare/nft/read.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import type { TableName } from '../../src/nft/print.ts'
import { fullFragment } from '../../src/nft/render.ts'
import { printTable } from '../../src/nft/table-text.ts'
import { listings, loadable } from '../nft/tables.ts'
import { expected } from '../support/golden.ts'
import { inNamespace } from '../support/kernel.ts'
import { type Seen, seenGoldens } from './cases.ts'

const FORMS = { nft: 'nft', 'nft-json': 'nft -j' } as const

/** Differences and notes of each case whose script was loaded and listed. */
function compared(
  cases: readonly (Seen & { readonly script: string })[],
  layoutName: LayoutName,
  kind: keyof typeof FORMS,
): { title: string; differences: unknown; notes: unknown }[] {
  const layout = LAYOUTS[layoutName]
  const scripts = cases.map(({ node, script }) => ({ name: { family: node.family, table: layout.table } satisfies TableName, script }))
  return listings(scripts, FORMS[kind]).map((text, index) => {
    const { title, node, views } = cases[index] as Seen
    const table = readTable({ kind, file: 'dump', text }, { family: node.family, table: layout.table })
    if (table === undefined) throw new Error(`no table in the listing of ${title}`)
    const { differences, notes } = compareTable(layout, node, views, table)
    return { title, differences, notes }
  })
}

const same = (cases: readonly Seen[]) => cases.map(({ title }) => ({ title, differences: [], notes: [] }))

/** Interface names of kube-proxy 1.34's rules cannot be loaded as they are (see `loadable`), so such a case has a difference by that. */
const hasInterface = ({ node }: Seen): boolean => node.localDetector.kind === 'bridge' || node.localDetector.kind === 'prefix'

describe('a live table of kube-proxy', () => {
  test.each([
    ['kube-proxy-1.34', '1.34'],
    ['kube-proxy-1.36', '1.36'],
  ] as const)('%s: what was recorded, loaded and listed, is what the snapshot asks for', (layoutName, release) => {
    const cases = seenGoldens().flatMap(seen => {
      const script = expected(seen.golden, `nftables-${release}.${seen.node.family}.${seen.step}.nft`)
      return script === undefined || (release === '1.34' && hasInterface(seen)) ? [] : [{ ...seen, script }]
    })
    expect(cases.length).toBeGreaterThan(90)
    expect(compared(cases, layoutName, 'nft')).toEqual(same(cases))
  })

  test('chains that kube-proxy left for a later sync are a note, not a difference', () => {
    const sequences = seenGoldens().filter(
      ({ golden, step, node }) =>
        step > 0 && step === golden.snapshots.length - 1 && expected(golden, `nftables-1.36.${node.family}.1.transaction`) !== undefined,
    )
    expect(sequences.length).toBeGreaterThan(5)
    const script = sequences.map(({ golden, step, node }) => {
      const folder = path.join(golden.folder, 'expected')
      const steps = Array.from({ length: step }, (_, index) => `nft -f ${folder}/nftables-1.36.${node.family}.${index + 1}.transaction`)
      const family = node.family === 'ipv4' ? 'ip' : 'ip6'
      return [
        `nft -f ${folder}/nftables-1.36.${node.family}.0.nft`,
        ...steps,
        `nft list table ${family} kube-proxy`,
        'echo ===',
        'nft flush ruleset\n',
      ].join('\n')
    })
    const layout = LAYOUTS['kube-proxy-1.36']
    const notes = inNamespace(script.join(''))
      .split('===\n')
      .slice(0, -1)
      .flatMap((text, index) => {
        const { title, node, views } = sequences[index] as Seen
        const table = readTable({ kind: 'nft', file: 'dump', text }, { family: node.family, table: layout.table })
        if (table === undefined) throw new Error(`no table in the listing of ${title}`)
        const comparison = compareTable(layout, node, views, table)
        expect(comparison.differences, title).toEqual([])
        return comparison.notes
      })
    expect(notes.length).toBeGreaterThan(2)
    for (const note of notes)
      expect(note).toMatch(/^\d+ stale, nothing leads there any more: (?:service|external|local|endpoint|firewall)-/)
  })
})

test.each(['nft', 'nft-json'] as const)('the layout maps, loaded and listed (%s), is what the snapshot asks for', kind => {
  const layout = LAYOUTS.maps
  const cases = seenGoldens().map(seen => ({
    ...seen,
    script: printTable(fullFragment(layout, seen.node, seen.views), { family: seen.node.family, table: layout.table }, layout.tableComment),
  }))
  for (const { script } of cases) expect(loadable(script)).toBe(script)
  expect(compared(cases, 'maps', kind)).toEqual(same(cases))
})
