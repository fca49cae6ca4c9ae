import { expect, test } from 'vitest'
import { compare } from '../../src/bench/baseline.ts'
import { duration, durationOr } from '../../src/bench/format.ts'
import { renderHtml } from '../../src/bench/view-html.ts'
import { renderText } from '../../src/bench/view-text.ts'
import { report, result } from './report.ts'

const OVER = result({ layout: 'kube-proxy-1.36', loadMs: null, loadOverMs: 60_000, loadCpuMs: null, nftPeakBytes: null })

test.each([
  [0.0213, '0.021 ms'],
  [0.25, '0.25 ms'],
  [12.34, '12.3 ms'],
  [999.4, '999 ms'],
  [1300, '1.30 s'],
  [301_000, '301 s'],
])('%d ms are %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected)
})

test('a time that is missing and one over the budget', () => {
  expect(durationOr(null, undefined)).toBe('-')
  expect(durationOr(null, 60_000)).toBe('over 60 s')
  expect(durationOr(null, 1500)).toBe('over 1.50 s')
})

test('a layout over the budget stays in the table, with the longest bar and an arrow', () => {
  const lines = renderText(report([result(), OVER]), undefined, false).split('\n')
  const load = lines.slice(lines.findIndex(line => line.startsWith('full load')) + 1)
  expect(load[0]).toMatch(/^ {2}maps +40\.0 ms .* ▏$/)
  expect(load[1]).toMatch(/^ {2}kube-proxy-1\.36 +over 60 s .* █{20}▶$/)
})

test('columns of a table line up', () => {
  const lines = renderText(report([result(), OVER]), undefined, false).split('\n')
  const start = lines.findIndex(line => line.startsWith('one endpoint replaced'))
  const end = lines[start]!.length
  for (const line of lines.slice(start + 1, start + 3)) expect(line.slice(0, end)).toMatch(/ 2$/)
})

test('what changed since the baseline is marked, and only there', () => {
  const after = report([result({ spread: { compileMs: { min: 9, max: 11 }, loadMs: { min: 80, max: 84 } } })])
  const text = renderText(after, compare(report([result()]), after), false)
  expect(text.split('\n').filter(line => line.includes('worse ×'))).toEqual([expect.stringMatching(/maps.*worse ×2\.05$/)])
})

test('colour only when asked for', () => {
  expect(renderText(report([result()]), undefined, false)).not.toContain('\u001b')
  expect(renderText(report([result()]), undefined, true)).toContain('\u001b[1m')
})

test('the page needs nothing from anywhere, and shows text as text', () => {
  const html = renderHtml(report([result(), result({ services: 10_000, loadMs: 300 }), OVER]))
  expect(html).not.toMatch(/https?:|<script|<link|src=|url\(|@import/)
  expect(html).not.toContain('<fast>')
  expect(html).toContain('A &#60;fast&#62; &#38; &#34;good&#34; one')
  expect(html).toContain('prefers-color-scheme: dark')
})

test('the page has a point for each load, and a triangle for one over the budget', () => {
  const html = renderHtml(report([result(), result({ services: 10_000, loadMs: 300 }), OVER]))
  const chart = /<h2>Full load<\/h2>\n(<svg.*?<\/svg>)/.exec(html)![1]!
  expect(chart.match(/<circle[^>]*><title>/g)).toHaveLength(2)
  expect(chart).toContain('<title>kube-proxy-1.36, 1,000: over 60.0 s</title>')
  expect(chart.match(/<polyline/g)).toHaveLength(2)
})

test('a page without updates and loads has neither of their charts', () => {
  const html = renderHtml(report([result({ update: {}, loadMs: null })]))
  expect(html).not.toContain('<h2>Full load')
  expect(html).not.toContain('<h2>Updates')
  expect(html).toContain('<h2>Compile')
})
