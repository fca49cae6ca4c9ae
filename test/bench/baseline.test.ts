import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compare, comparisonKey, readBaseline } from '../../src/bench/baseline.ts'
import { report, result } from './report.ts'

const before = report([result()])

test.each([
  ['the same', { min: 38, max: 42 }, undefined],
  ['apart, but within what the rounds of both differ', { min: 42.5, max: 46 }, undefined],
  ['slower beyond the noise', { min: 80, max: 84 }, false],
  ['faster beyond the noise', { min: 20, max: 21 }, true],
])('a load time that is %s', (_, loadMs, better) => {
  const after = result({ spread: { compileMs: { min: 9, max: 11 }, loadMs } })
  const { changes } = compare(before, report([after]))
  expect(changes.get(comparisonKey(after, 'loadMs'))?.better).toBe(better)
  expect(changes.size).toBe(better === undefined ? 0 : 1)
})

test('a change of under 5 % is none, however quiet the machine', () => {
  const quiet = (ms: number) => result({ spread: { compileMs: { min: ms, max: ms } } })
  expect(compare(report([quiet(100)]), report([quiet(104)])).changes.size).toBe(0)
  expect(compare(report([quiet(100)]), report([quiet(106)])).changes.size).toBe(1)
})

test('more connections are better', () => {
  const rate = (value: number) => result({ spread: { connectionsPerSecond: { min: value, max: value } } })
  expect([...compare(report([rate(1000)]), report([rate(3000)])).changes.values()]).toEqual([{ factor: 3, better: true }])
})

test('only the same layout at the same size is compared', () => {
  const others = [result({ layout: 'kube-proxy-1.36' }), result({ services: 5000 }), result({ endpoints: 1 })]
  expect(compare(before, report(others)).notes).toEqual([expect.stringMatching(/^0 figures compared/)])
})

test('another kernel is said', () => {
  const other = { ...before, host: { ...before.host, kernel: '6.6.0' } }
  expect(compare(other, before).notes).toContain('kernel was 6.6.0 and is 6.1.0')
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kubenft-baseline-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a report is read back as it was', () => {
  const file = path.join(folder, 'good.json')
  writeFileSync(file, JSON.stringify(before))
  expect(readBaseline(file)).toEqual(before)
})

test.each([
  ['nothing', undefined, 'cannot be read'],
  ['no JSON', '{', 'cannot be read'],
  ['another kind', '{"apiVersion":"kubenft/v1","kind":"Other"}', 'not a BenchReport'],
])('a baseline that is %s is refused with its name', (name, content, message) => {
  const file = path.join(folder, `${name}.json`)
  if (content !== undefined) writeFileSync(file, content)
  expect(() => readBaseline(file)).toThrow(message)
  expect(() => readBaseline(file)).toThrow(file)
})
