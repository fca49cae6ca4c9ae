import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacking } from '../../lab/lacking.ts'
import { nodeContexts } from '../../src/model/index.ts'
import { viewsOf } from '../../src/model/views.ts'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import { renderTable } from '../../src/nft/render.ts'
import { noProblems } from '../support/collector.ts'
import { configuration, node, service, slice, snapshot } from '../support/objects.ts'
import { PacketWorld } from './packet-world.ts'
import type { Source, Target } from './plan.ts'

const CONNECTIONS = 700
/** Even odds fail one run in ten million. */
const LEAST_LIKELIHOOD = 1e-7

const POD: Source = { place: 'pod', address: '10.0.0.9' }
const OUTSIDE: Source = { place: 'outside', address: '2001:db8:77::1' }

/** Two services with so many endpoints: one to reach by cluster IP, one by node port. */
function rules(endpoints: number): string[] {
  const numbers = Array.from({ length: endpoints }, (_, index) => index + 1)
  const objects = snapshot({
    nodes: [node({ addresses: ['192.168.0.2', '2001:db8::1'] })],
    services: [
      service({ clusterIP: '172.30.0.41', clusterIPs: ['172.30.0.41'] }),
      service({
        name: 'syslog',
        type: 'NodePort',
        clusterIP: 'fd00:10:96::29',
        clusterIPs: ['fd00:10:96::29'],
        ipFamilies: ['IPv6'],
        ports: [{ port: 514, protocol: 'UDP', nodePort: 30514 }],
      }),
    ],
    endpointSlices: [
      slice({ endpoints: numbers.map(number => `10.1.0.${number}`) }),
      slice({
        name: 'syslog-a',
        of: 'syslog',
        addressType: 'IPv6',
        ports: [{ name: '', port: 5514, protocol: 'UDP' }],
        endpoints: numbers.map(number => `fd00:10::1:${number}`),
      }),
    ],
  })
  const { maps } = LAYOUTS
  const contexts = nodeContexts({
    snapshot: objects,
    configuration: configuration({ clusterCIDR: '10.0.0.0/8,fd00:10::/64' }),
    host: undefined,
    nodeName: undefined,
    report: noProblems,
  })
  return contexts.map(context => renderTable(maps, context, viewsOf(objects, context, noProblems)))
}

/** How likely counts at least so uneven are when the odds are even (Pearson's chi-squared test, for an odd number of counts). */
function likelihood(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const half = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0) / 2
  let term = Math.exp(-half)
  let sum = 0
  for (let degree = 1; degree <= (counts.length - 1) / 2; degree++) {
    sum += term
    term *= half / degree
  }
  return sum
}

test('the measure knows even odds from uneven ones', () => {
  expect(likelihood([100, 100, 100])).toBe(1)
  // Tables of the chi-squared distribution: 5.991 at 2 and 12.592 at 6 degrees of freedom are the 5 % points.
  expect(likelihood([100 + Math.sqrt(299.55), 100 - Math.sqrt(299.55), 100])).toBeCloseTo(0.05, 4)
  expect(likelihood([100 + Math.sqrt(629.6), 100 - Math.sqrt(629.6), 100, 100, 100, 100, 100])).toBeCloseTo(0.05, 4)
  expect(likelihood([350, 233, 117])).toBeLessThan(LEAST_LIKELIHOOD)
})

const reason = process.env['CI'] === undefined ? lacking() : undefined

describe.skipIf(reason !== undefined)(`connections spread evenly in maps${reason === undefined ? '' : ` (${reason})`}`, () => {
  let world: PacketWorld
  beforeAll(async () => {
    world = await PacketWorld.create(['192.168.0.2', '2001:db8::1'], [POD, OUTSIDE])
  })
  afterAll(() => world?.close())

  const cases: readonly [number, Source, Target][] = [3, 7].flatMap((endpoints): [number, Source, Target][] => [
    [endpoints, POD, { protocol: 'tcp', address: '172.30.0.41', port: 80, packets: CONNECTIONS }],
    [endpoints, OUTSIDE, { protocol: 'udp', address: '2001:db8::1', port: 30514, packets: CONNECTIONS }],
  ])
  test.each(cases)('over %i endpoints, from %o', async (endpoints, source, target) => {
    await world.load(...rules(endpoints))
    const [counts] = [...(await world.outcomes([{ sources: [source], targets: [target] }])).values()]
    expect(counts?.size).toBe(endpoints)
    expect(likelihood([...(counts?.values() ?? [])])).toBeGreaterThan(LEAST_LIKELIHOOD)
  })
})
