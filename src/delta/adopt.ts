import { endpointName } from '../model/endpoint-slice.ts'
import type { Endpoint, ServicePortView } from '../model/types.ts'
import type { TableContents } from '../nft/contents.ts'
import type { Fragment } from '../nft/fragment.ts'
import { type SlotPlace, slotPlaces } from '../nft/layouts/maps.ts'

/**
 * Puts what a live table holds into a fragment that a batch can start from. Chains that `wanted` shares between service ports count as shared here too,
 * with the table itself as their one owner until the service ports take over.
 */
export function emitLive(live: TableContents, wanted: Fragment, sink: Fragment): void {
  for (const [name, { rules, ...options }] of live.chains) {
    if (wanted.sharedChains.has(name)) sink.sharedChain(name, () => rules)
    else sink.chain(name, rules, options)
  }
  for (const [name, set] of live.sets) sink.set(name, set)
  for (const [name, map] of live.maps) sink.map(name, map)
  for (const [container, elements] of live.elements) {
    for (const [key, { value, comment }] of elements) sink.element(container, key, value, comment)
  }
}

/**
 * A service port as the live table has it, as far as its slots tell: the endpoints of its first frontend that is there, in slot order; the view itself
 * when they are the same. Undefined when none of its frontends is there. Slots that have a gap end there: what is behind it is drift, and leaves with the
 * next transaction.
 */
export function liveView(view: ServicePortView, live: TableContents): ServicePortView | undefined {
  const { port, endpoints } = view
  const places = slotPlaces(port)
  if (holds(places.cluster, endpoints.cluster, live) && holds(places.local, endpoints.local, live)) return view
  const known = new Map(
    [...endpoints.reachable, ...endpoints.cluster, ...endpoints.local].map(endpoint => [endpointName(endpoint), endpoint]),
  )
  const cluster = firstSlots(places.cluster, live, known)
  const local = firstSlots(places.local, live, known)
  if (cluster === undefined && local === undefined) return undefined
  // A list without a place is in no rule: of its endpoints count those that the other list has.
  const shared = (list: readonly Endpoint[], other: readonly Endpoint[] = []): readonly Endpoint[] => {
    const names = new Set(other.map(endpointName))
    return list.filter(endpoint => names.has(endpointName(endpoint)))
  }
  const lists = {
    cluster: cluster ?? (places.cluster.length === 0 ? shared(endpoints.cluster, local) : []),
    local: local ?? (places.local.length === 0 ? shared(endpoints.local, cluster) : []),
  }
  const reachable = [...new Set([...lists.cluster, ...lists.local])]
  return { port, endpoints: { ...lists, reachable, all: reachable, any: true } }
}

/** Whether the slots of a list's first place are just that list, or no place has a slot of a list without endpoints. */
function holds(places: readonly SlotPlace[], list: readonly Endpoint[], live: TableContents): boolean {
  const [first] = places
  if (first === undefined) return true
  if (list.length === 0) return places.every(({ map, key }) => live.elements.get(map)?.has(`${key} . 0`) !== true)
  const elements = live.elements.get(first.map)
  for (let slot = 0; slot < list.length; slot++) {
    const { ip, port } = list[slot] as Endpoint
    if (elements?.get(`${first.key} . ${slot}`)?.value !== `${ip} . ${port}`) return false
  }
  return elements?.has(`${first.key} . ${list.length}`) !== true
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
