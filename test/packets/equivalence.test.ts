import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacking } from '../../lab/lacking.ts'
import { type Outcomes, PacketWorld } from './packet-world.ts'
import { goldenSteps, widenedSteps } from './steps.ts'

const reason = process.env['CI'] === undefined ? lacking() : undefined
const RECORDED = goldenSteps()
const WIDENED = widenedSteps()

describe.skipIf(reason !== undefined)(
  `maps treats every packet as kube-proxy 1.36 does${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let world: PacketWorld
    const seen = new Set<string>()

    beforeAll(async () => {
      const steps = [...RECORDED, ...WIDENED]
      world = await PacketWorld.create(
        [...new Set(steps.flatMap(({ nodeAddresses }) => nodeAddresses))],
        steps.flatMap(({ plans }) => plans.flatMap(({ sources }) => sources)),
      )
    })
    afterAll(() => world?.close())

    describe.each([
      ['as recorded', RECORDED],
      ['in both families and protocols', WIDENED],
    ])('%s', (_, steps) => {
      // A machine so busy that packets wait longer than the world does would show drops that are none: they do not come twice.
      test.each(steps)('$name', { retry: 2 }, async ({ plans, maps, kubeProxy }) => {
        await world.load(...kubeProxy)
        const wanted = await world.outcomes(plans)
        await world.load(...maps)
        const found = await world.outcomes(plans)
        expect(kinds(found)).toEqual(kinds(wanted))
        for (const kind of kindsOf(wanted)) seen.add(kind)
      })
    })

    /** The comparison is worth something only if every kind of outcome was there to compare. */
    test('every outcome was seen from every place', () => {
      const wanted = ['pod', 'node', 'outside'].flatMap(place =>
        ['tcp', 'udp'].flatMap(protocol =>
          ['ipv4', 'ipv6'].flatMap(family =>
            ['endpoint', 'masqueraded', 'rejected', 'dropped', 'passed'].map(outcome => `${place} ${protocol} ${family} ${outcome}`),
          ),
        ),
      )
      expect(wanted.filter(kind => !seen.has(kind))).toEqual([])
    })
  },
)

/** The different outcomes of each kind of packet. How often each came is not compared: service chains and maps count apart. */
function kinds(outcomes: Outcomes): Record<string, string[]> {
  return Object.fromEntries([...outcomes].map(([kind, results]) => [kind, [...results.keys()].sort()]))
}

/** `pod tcp ipv4 masqueraded` for each outcome. */
function* kindsOf(outcomes: Outcomes): Generator<string> {
  for (const [kind, results] of outcomes) {
    const [place, from = '', , protocol] = kind.split(' ')
    for (const result of results.keys()) {
      const outcome = / masqueraded$/.test(result) ? 'masqueraded' : /\d$/.test(result) ? 'endpoint' : result
      yield `${place} ${protocol} ${from.includes(':') ? 'ipv6' : 'ipv4'} ${outcome}`
    }
  }
}
