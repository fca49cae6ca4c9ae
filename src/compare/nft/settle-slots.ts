import { arrange } from '../../delta/slots.ts'
import { endpointName } from '../../model/endpoint-slice.ts'
import type { Endpoint, ServicePortView } from '../../model/types.ts'
import type { TableContents } from '../../nft/contents.ts'
import { type SlotPlace, slotPlaces } from '../../nft/layouts/maps.ts'

/**
 * A view with its lists in the order of the slots that a dump has, so that the order is no difference. Unlike the start of a delta
 * (`delta/adopt.ts`), this looks past gaps: an element that someone took away is one difference, and not one for every slot behind it.
 */
export function settleSlots(view: ServicePortView, live: TableContents): ServicePortView {
  const { endpoints } = view
  const places = slotPlaces(view.port)
  const cluster = settled(endpoints.cluster, places.cluster, live)
  const local = settled(endpoints.local, places.local, live)
  return {
    ...view,
    endpoints: { ...endpoints, cluster, local, reachable: endpoints.reachable === endpoints.cluster ? cluster : endpoints.reachable },
  }
}

function settled(list: readonly Endpoint[], places: readonly SlotPlace[], live: TableContents): readonly Endpoint[] {
  const names: string[] = []
  for (let name = nameAt(0, places, live); name !== undefined || names.length < list.length; name = nameAt(names.length, places, live))
    names.push(name ?? '')
  return arrange(names, list)
}

/** The endpoint in a slot, as the first frontend that has this slot tells it. */
function nameAt(slot: number, places: readonly SlotPlace[], live: TableContents): string | undefined {
  for (const { map, key } of places) {
    const value = live.elements.get(map)?.get(`${key} . ${slot}`)?.value
    if (value === undefined) continue
    const [ip = '', port = ''] = value.split(' . ')
    return endpointName({ ip, port: Number(port) })
  }
  return undefined
}
