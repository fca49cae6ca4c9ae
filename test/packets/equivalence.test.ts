import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacking } from '../../lab/lacking.ts'
import { type Outcomes, PacketWorld } from './packet-world.ts'
import { goldenSteps } from './steps.ts'

const reason = process.env['CI'] === undefined ? lacking() : undefined
const STEPS = goldenSteps()

describe.skipIf(reason !== undefined)(
  `maps treats every packet as kube-proxy 1.36 does${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    let world: PacketWorld
    const seen = new Set<string>()

    beforeAll(async () => {
      world = await PacketWorld.create(
        [...new Set(STEPS.flatMap(({ nodeAddresses }) => nodeAddresses))],
        STEPS.flatMap(({ plans }) => plans.flatMap(({ sources }) => sources)),
      )
    })
    afterAll(() => world?.close())

    test.each(STEPS)('$name', async ({ plans, maps, kubeProxy }) => {
      await world.load(...kubeProxy)
      const wanted = await world.outcomes(plans)
      await world.load(...maps)
      const found = await world.outcomes(plans)
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
      for (const kind of kindsOf(wanted)) seen.add(kind)
    })

    /** The comparison is worth something only if every kind of outcome was there to compare. */
    test('every outcome was seen from every place', () => {
      for (const place of ['pod', 'node', 'outside'])
        for (const protocol of ['tcp', 'udp'])
          for (const family of ['ipv4', 'ipv6'])
            for (const outcome of ['endpoint', 'masqueraded', 'rejected', 'dropped', 'passed'])
              expect.soft(seen).toContain(`${place} ${protocol} ${family} ${outcome}`)
    })
  },
)

/** `pod tcp ipv4 masqueraded` for each outcome. */
function* kindsOf(outcomes: Outcomes): Generator<string> {
  for (const [kind, results] of outcomes) {
    const [place, from = '', , protocol] = kind.split(' ')
    for (const result of results) {
      const outcome = / masqueraded$/.test(result) ? 'masqueraded' : /\d$/.test(result) ? 'endpoint' : result
      yield `${place} ${protocol} ${from.includes(':') ? 'ipv6' : 'ipv4'} ${outcome}`
    }
  }
}
