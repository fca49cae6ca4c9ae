import { endpointName } from '../model/endpoint-slice.ts'
import type { Endpoint, ServicePortView } from '../model/types.ts'
import type { TableContents } from '../nft/contents.ts'
import { Fragment } from '../nft/fragment.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { type SlotPlace, slotPlaces } from '../nft/layouts/maps.ts'

/**
 * What a live table holds, as a fragment that a batch can start from. Chains that `wanted` shares between service ports count as shared here too,
 * with the table itself as their one owner until the service ports take over.
 */
export function liveFragment(layout: Layout, live: TableContents, wanted: Fragment): Fragment {
  const fragment = new Fragment(layout)
  for (const [name, body] of live.chains) {
    if (wanted.sharedChains.has(name)) fragment.sharedChain(name, () => body.rules)
    else fragment.chains.set(name, body)
  }
  for (const [name, set] of live.sets) fragment.set(name, set)
  for (const [name, map] of live.maps) fragment.map(name, map)
  for (const [container, elements] of live.elements) {
    for (const [key, { value, comment }] of elements) fragment.element(container, key, value, comment)
  }
  return fragment
}

/**
 * A service port as the live table has it, as far as its slots tell: the endpoints of its first frontend that is there, in slot order.
 * Undefined when none of its frontends is there. Slots that have a gap end there: what is behind it is drift, and leaves with the next transaction.
 */
export function liveView({ port, endpoints }: ServicePortView, live: TableContents): ServicePortView | undefined {
  const places = slotPlaces(port)
  const known = new Map(
    [...endpoints.reachable, ...endpoints.cluster, ...endpoints.local].map(endpoint => [endpointName(endpoint), endpoint]),
  )
  const cluster = firstSlots(places.cluster, live, known)
  const local = firstSlots(places.local, live, known)
  if (cluster === undefined && local === undefined) return undefined
  const lists = { cluster: cluster ?? [], local: local ?? [] }
  const reachable = [...new Set([...lists.cluster, ...lists.local])]
  return { port, endpoints: { ...lists, reachable, all: reachable, any: true } }
}

function firstSlots(places: readonly SlotPlace[], live: TableContents, known: ReadonlyMap<string, Endpoint>): Endpoint[] | undefined {
  for (const { map, key } of places) {
    const elements = live.elements.get(map)
    const found: Endpoint[] = []
    for (let value = elements?.get(`${key} . 0`)?.value; value !== undefined; value = elements?.get(`${key} . ${found.length}`)?.value) {
      const [ip = '', number = ''] = value.split(' . ')
      const endpoint = { ip, port: Number(number) }
      found.push(known.get(endpointName(endpoint)) ?? { ...endpoint, ...GONE })
    }
    if (found.length > 0) return found
  }
  return undefined
}

/** All that is known of an endpoint that only the live table has. */
const GONE = { isLocal: false, ready: false, serving: false, terminating: false, zoneHints: undefined, nodeHints: undefined } as const
