import { describe, expect, test } from 'vitest'
import { CANDIDATE_NAMES, candidate } from '../../src/bench/candidates.ts'
import { percentiles } from '../../src/bench/statistics.ts'
import { UPDATE_NAMES, UPDATES, type UpdateName } from '../../src/bench/updates.ts'
import { Workload } from '../../src/bench/workload.ts'
import type { Change } from '../../src/delta/change.ts'

const workload = new Workload({ services: 200, endpoints: 3 })

function endpointsOf(changes: readonly Change[]): number {
  return changes.reduce(
    (sum, change) => sum + (change.type === 'set' && change.object.kind === 'EndpointSlice' ? (change.object.endpoints?.length ?? 0) : 0),
    0,
  )
}

test('a workload has as many services and endpoints as asked for, and always the same', () => {
  expect(workload.services).toHaveLength(200)
  expect(endpointsOf(workload.objects.map(object => ({ type: 'set', object })))).toBe(600)
  expect(new Workload({ services: 200, endpoints: 3 }).objects).toEqual(workload.objects)
})

test.each<[UpdateName, number]>([
  ['endpointReplaced', 0],
  ['endpointAdded', 1],
  ['rollout', 0],
  ['nodeLoss', -6],
])('%s changes the number of endpoints by %d', (name, difference) => {
  const { changes, undo } = UPDATES[name](workload, 5)
  expect(endpointsOf(changes) - endpointsOf(undo)).toBe(difference)
})

test('a rollout gives exactly 100 endpoints new addresses', () => {
  const addresses = UPDATES.rollout(workload, 3).changes.flatMap(change =>
    change.type === 'set' && change.object.kind === 'EndpointSlice' ? change.object.endpoints!.flatMap(endpoint => endpoint.addresses) : [],
  )
  expect(new Set(addresses.filter(address => address.startsWith('100.'))).size).toBe(100)
})

describe.each(CANDIDATE_NAMES)('%s', name => {
  test.each(UPDATE_NAMES)('%s does something, and undone leaves the ruleset as it was', update => {
    const resident = candidate(name).resident()
    resident.start(workload.objects)
    const before = resident.text()
    for (const n of [0, 7]) {
      const { changes, undo } = UPDATES[update](workload, n)
      expect(resident.update(changes).operations).toBeGreaterThan(0)
      expect(resident.text()).not.toBe(before)
      resident.update(undo)
      expect(sorted(resident.text())).toEqual(sorted(before))
    }
  })

  test('the text of the state is what a compile gives', () => {
    const resident = candidate(name).resident()
    resident.start(workload.objects)
    expect(resident.text()).toBe(candidate(name).compile(workload.snapshot))
  })
})

/** Endpoints may change slots on the way there and back: slot numbers left out, the lines are the same. */
function sorted(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.replace(/ \. \d+ :/, ' . SLOT :'))
    .sort()
}

test('percentiles are values that were measured', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)
  expect(percentiles(hundred)).toEqual({ p50: 50, p90: 90, p99: 99 })
  expect(percentiles([3])).toEqual({ p50: 3, p90: 3, p99: 3 })
  expect(() => percentiles([])).toThrow(RangeError)
})
