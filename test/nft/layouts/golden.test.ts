import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeContexts } from '../../../src/model/index.ts'
import { viewsOf } from '../../../src/model/views.ts'
import { LAYOUTS } from '../../../src/nft/layouts/index.ts'
import { fullFragment, renderTable } from '../../../src/nft/render.ts'
import { printTable } from '../../../src/nft/table-text.ts'
import { comparable, expected, GOLDEN_CASES, type GoldenCase } from '../../support/golden.ts'
import { ownGoldens } from '../../support/own-goldens.ts'

const VERSIONS = ['1.34', '1.36'] as const

function rendered(
  version: (typeof VERSIONS)[number],
  { configuration, host, snapshots }: GoldenCase,
  step: number,
): { family: string; script: string }[] {
  const layout = LAYOUTS[`kube-proxy-${version}`]
  const snapshot = snapshots[step]
  if (snapshot === undefined) throw new Error('no such step')
  return nodeContexts({ snapshot, configuration, host, nodeName: undefined, report: () => {} }).map(node => ({
    family: node.family,
    script: renderTable(
      layout,
      node,
      viewsOf(snapshot, node, () => {}),
    ),
  }))
}

describe.each(VERSIONS)('layout kube-proxy-%s writes what kube-proxy wrote', version => {
  test.each(GOLDEN_CASES)('$name', golden => {
    for (const step of golden.snapshots.keys()) {
      const results = rendered(version, golden, step)
      expect(results.map(({ family }) => family).sort()).toEqual(golden.host.families.map(family => family.toLowerCase()).sort())
      for (const { family, script } of results)
        expect(comparable(script)).toEqual(comparable(expected(golden, `nftables-${version}.${family}.${step}.nft`) ?? 'no golden file'))
    }
  })
})

test('layout kube-proxy-1.37 differs from 1.36 in chains with exactly one endpoint', () => {
  const golden = GOLDEN_CASES.find(({ name }) => name === 'basic/dual-stack')
  const one = GOLDEN_CASES.find(({ name }) => name === 'basic/clusterip-one-endpoint')
  if (golden === undefined || one === undefined) throw new Error('golden cases are missing')
  const text = (layout: 'kube-proxy-1.36' | 'kube-proxy-1.37', { configuration, host, snapshots: [snapshot] }: GoldenCase): string[] =>
    nodeContexts({
      snapshot: snapshot as NonNullable<typeof snapshot>,
      configuration,
      host,
      nodeName: undefined,
      report: () => {},
    }).flatMap(node =>
      comparable(
        printTable(
          fullFragment(
            LAYOUTS[layout],
            node,
            viewsOf(snapshot as NonNullable<typeof snapshot>, node, () => {}),
          ),
          { family: node.family, table: 'kube-proxy' },
          'rules for kube-proxy',
        ),
      ),
    )
  expect(text('kube-proxy-1.37', golden)).toEqual(text('kube-proxy-1.36', golden))
  const [old, now] = [text('kube-proxy-1.36', one), text('kube-proxy-1.37', one)]
  expect(now.filter(line => !old.includes(line))).toEqual([
    'ip kube-proxy service-452DNVGS-shop/web/tcp/: meta l4proto tcp dnat to 10.1.0.1:8080',
  ])
  expect(old.filter(line => !now.includes(line))).toEqual([
    'ip kube-proxy service-452DNVGS-shop/web/tcp/: meta l4proto tcp dnat ip addr . port to numgen random mod 1 map { 0 : 10.1.0.1 . 8080 }',
  ])
})

test('kubenft prints the golden files of its own layouts', () => {
  const files = ownGoldens()
  expect(files.size).toBeGreaterThan(150)
  for (const [file, text] of files) expect(text, file).toBe(readFileSync(file, 'utf8'))
})
