import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrange } from '../../src/delta/slots.ts'
import { endpointName } from '../../src/model/endpoint-slice.ts'
import { endpoint } from '../support/objects.ts'

const numbered = (numbers: readonly number[]) => numbers.map(number => endpoint(`10.1.0.${number}`))
const names = (numbers: readonly number[]): string[] => numbered(numbers).map(endpointName)
const arranged = (previous: readonly number[], next: readonly number[]): string[] =>
  arrange(names(previous), numbered(next)).map(endpointName)

describe('arrange', () => {
  test.each([
    ['nothing before: the order given', [], [3, 1], [3, 1]],
    ['the same: the order that was', [3, 1, 2], [1, 2, 3], [3, 1, 2]],
    ['replaced: the slot of the one that went', [1, 2, 3], [1, 3, 9], [1, 9, 3]],
    ['added: the next slot', [2, 1], [1, 2, 3], [2, 1, 3]],
    ['removed: filled by the last', [1, 2, 3, 4], [2, 3, 4], [4, 2, 3]],
    ['the last removed: nothing moves', [1, 2, 3], [1, 2], [1, 2]],
    ['several removed at the end and before', [1, 2, 3, 4, 5], [2, 3], [3, 2]],
    ['all gone', [1, 2], [], []],
    ['all others', [1, 2], [3, 4, 5], [3, 4, 5]],
  ] as const)('%s', (_name, previous, next, expected) => {
    expect(arranged(previous, next)).toEqual(names(expected))
  })

  test('every endpoint has one slot, slots are dense, and no more of them change than must', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 10 })
    fc.assert(
      fc.property(numbers, numbers, (previous, next) => {
        const result = arranged(previous, next)
        expect(result.toSorted()).toEqual(names(next).toSorted())
        const before = names(previous)
        const moved = result.filter((name, slot) => before[slot] !== name).length
        const kept = before.slice(0, next.length).filter(name => result.includes(name)).length
        expect(moved).toBe(next.length - kept)
      }),
      { numRuns: 1000 },
    )
  })
})
