import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { characteristic, frequencies, shapeOf } from '../../scripts/features/characteristic.ts'
import { featurePage, uncovered } from '../../scripts/features/table.ts'

test('every case has a row, and every row a case', () => {
  expect(uncovered()).toEqual({ withoutCase: [], withoutRow: [] })
})

test('docs/features.md is what the golden cases give; if not: npx tsx scripts/feature-table.ts --write', () => {
  expect(readFileSync(new URL('../../docs/features.md', import.meta.url), 'utf8')).toBe(featurePage())
})

test('the characteristic thing is the one whose shape is rarest, whatever its names and addresses', () => {
  const rule = (text: string) => ({ kind: 'rule', text })
  const common = rule('service-ABCDEFGH-shop/web/tcp/: dnat to 10.1.0.1:8080')
  const alike = rule('service-QRSTUVWX-shop/api/tcp/http: dnat to [fd00::1]:9090')
  const rare = rule('masquerading: masquerade')
  expect(shapeOf(common)).toBe(shapeOf(alike))
  const counts = frequencies([[common], [alike, rare]])
  expect(characteristic([alike, rare], counts)).toBe(rare)
  expect(characteristic([], counts)).toBeUndefined()
})
