import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTable } from '../../src/compare/nft/compare-table.ts'
import type { TableContents } from '../../src/nft/contents.ts'
import type { ChainBody, ElementData } from '../../src/nft/fragment.ts'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import { fullFragment } from '../../src/nft/render.ts'
import { contentsOf } from '../nft/tables.ts'
import { type Seen, seenGoldens } from './cases.ts'

const CASES = seenGoldens()
const MAPS = LAYOUTS.maps
const KUBE_PROXY = LAYOUTS['kube-proxy-1.36']

/** A table that can be changed by hand. */
interface Editable extends Omit<TableContents, 'chains' | 'elements'> {
  readonly chains: Map<string, ChainBody>
  readonly elements: Map<string, Map<string, ElementData>>
}

/** What the snapshot asks for. */
function table({ node, views }: Seen, layout = MAPS): Editable {
  const contents = contentsOf(fullFragment(layout, node, views), undefined)
  return {
    ...contents,
    chains: new Map(contents.chains),
    elements: new Map([...contents.elements].map(([name, keys]) => [name, new Map(keys)])),
  }
}

/** A case with a service of one nameless port and three endpoints, its cluster IP, and its place in the maps. */
const THREE = CASES.find(
  ({ node, views: [view, second] }) =>
    node.family === 'ipv4' &&
    second === undefined &&
    view?.endpoints.cluster.length === 3 &&
    view.port.affinitySeconds === 0 &&
    !view.port.internalPolicyLocal,
)!
const [VIEW] = THREE.views
const { namespace, name, portName, clusterIP, port } = VIEW!.port
const SERVICE = { namespace, name, portName }
const DISPATCH = `${clusterIP} . tcp . ${port}`

describe('each kind of difference', () => {
  const compare = (live: TableContents, layout = MAPS) => compareTable(layout, THREE.node, THREE.views, live)

  test('an element in the middle of the slots that is missing is one difference, whatever the order of the slots', () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      const live = table(THREE)
      const slots = live.elements.get('tcp-endpoints')!
      const values = [0, 1, 2].map(slot => slots.get(`${clusterIP} . ${port} . ${slot}`)!)
      for (const [slot, from] of order.entries()) slots.set(`${clusterIP} . ${port} . ${slot}`, values[from]!)
      expect(compare(live).differences).toEqual([])
      slots.delete(`${clusterIP} . ${port} . 1`)
      expect(compare(live).differences).toEqual([
        {
          kind: 'missing',
          object: 'element of map tcp-endpoints',
          wanted: [`${clusterIP} . ${port} . 1 : ${values[order[1]!]!.value}`],
          found: [],
          services: [SERVICE],
        },
      ])
    }
  })

  test('an element that is extra, or leads elsewhere', () => {
    const live = table(THREE)
    live.elements.get('service-ips')!.set(DISPATCH, { value: 'drop' })
    live.elements.get('cluster-ips')!.set('172.30.255.1', {})
    expect(compare(live).differences).toEqual(
      [
        { kind: 'extra', object: 'element of set cluster-ips', wanted: [], found: ['172.30.255.1'], services: [] },
        {
          kind: 'different',
          object: 'element of map service-ips',
          wanted: [`${DISPATCH} : goto tcp-3`],
          found: [`${DISPATCH} : drop`],
          services: [SERVICE],
        },
      ].toSorted(byObject),
    )
  })

  test('comments of elements, rules and chains make no difference', () => {
    const live = table(THREE)
    for (const keys of live.elements.values()) for (const [key, data] of keys) keys.set(key, { ...data, comment: 'by hand' } as object)
    for (const [chain, body] of live.chains)
      live.chains.set(chain, { ...body, comment: 'by hand', rules: body.rules.map(rule => rule.replace(/ comment "[^"]*"$/, '')) })
    expect(compare(live)).toEqual({ family: 'ipv4', differences: [], notes: [] })
  })

  test('rules: one that is extra, one that is missing, another order, another hook', () => {
    const live = table(THREE)
    const [first, ...rest] = live.chains.get('services')!.rules
    const changed = (chain: string, body: ChainBody) => compare({ ...live, chains: new Map(live.chains).set(chain, body) }).differences
    const object = 'rule of chain services'
    expect(changed('services', { rules: ['counter', first!, ...rest] })).toEqual([
      { kind: 'extra', object, wanted: [], found: ['counter'], services: [] },
    ])
    expect(changed('services', { rules: rest })).toEqual([{ kind: 'missing', object, wanted: [first], found: [], services: [] }])
    expect(changed('services', { rules: [...rest, first!] })).toMatchObject([
      { kind: 'different', object: 'order of the rules in chain services' },
    ])
    const input = live.chains.get('filter-input')!
    expect(changed('filter-input', { ...input, hook: { ...input.hook!, priority: 5 } })).toEqual([
      {
        kind: 'different',
        object: 'hook of chain filter-input',
        wanted: ['type filter hook input priority 0'],
        found: ['type filter hook input priority 5'],
        services: [],
      },
    ])
    expect(changed('mine', { rules: ['accept'] })).toEqual([
      { kind: 'extra', object: 'chain mine', wanted: [], found: ['accept'], services: [] },
    ])
  })

  test('sets and maps', () => {
    const live = table(THREE)
    const { type, ...rest } = live.sets.get('cluster-ips')!
    const sets = new Map(live.sets)
      .set('cluster-ips', { ...rest, type: 'ipv6_addr' })
      .set('mine', { type, flags: ['timeout'], timeout: 60 })
    expect(compare({ ...live, sets }).differences).toEqual([
      { kind: 'different', object: 'set cluster-ips', wanted: ['type ipv4_addr'], found: ['type ipv6_addr'], services: [] },
      { kind: 'extra', object: 'set mine', wanted: [], found: ['type ipv4_addr timeout timeout 60s'], services: [] },
    ])
  })

  test('a service that the snapshot does not have is named by its chain', () => {
    const live = table(THREE, KUBE_PROXY)
    const chain = 'service-ABCDEFGH-old/api/tcp/http'
    live.chains.set(chain, { rules: ['meta l4proto tcp dnat to 10.9.9.9:80'] })
    expect(compare(live, KUBE_PROXY)).toMatchObject({ differences: [], notes: [expect.stringContaining(chain)] })
    live.elements.get('service-ips')!.set('172.30.9.9 . tcp . 80', { value: `goto ${chain}` })
    const services = [{ namespace: 'old', name: 'api', portName: 'http' }]
    expect(compare(live, KUBE_PROXY)).toMatchObject({
      differences: [
        { kind: 'extra', object: `chain ${chain}`, services },
        { kind: 'extra', object: 'element of map service-ips', services },
      ],
      notes: [],
    })
  })
})

test('of all golden cases, taking any element away is one difference that names it', () => {
  const elements = (contents: TableContents) =>
    [...contents.elements].flatMap(([container, keys]) => [...keys].map(([key, data]) => ({ container, key, data })))
  const choices = CASES.filter(seen => elements(table(seen)).length > 0)
  fc.assert(
    fc.property(fc.constantFrom(...choices), fc.constantFrom(MAPS, KUBE_PROXY), fc.nat(), (seen, layout, pick) => {
      const live = table(seen, layout)
      const all = elements(live)
      const { container, key, data } = all[pick % all.length]!
      live.elements.get(container)!.delete(key)
      const text = data.value === undefined ? key : `${key} : ${data.value}`
      const { differences } = compareTable(layout, seen.node, seen.views, live)
      expect(differences).toMatchObject([{ kind: 'missing', wanted: [text], found: [] }])
      expect(differences[0]!.object.endsWith(` ${container}`)).toBe(true)
      if (container !== 'nodeport-ips') expect(differences[0]!.services.length, `${container} ${key}`).toBeGreaterThan(0)
    }),
    { numRuns: 150 },
  )
})

function byObject({ object: a }: { object: string }, { object: b }: { object: string }): number {
  return a < b ? -1 : 1
}
