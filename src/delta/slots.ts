import { endpointName } from '../model/endpoint-slice.ts'
import type { Endpoint, ServicePortView, UsableEndpoints } from '../model/types.ts'

/**
 * Arranges the endpoints of a list so that as few slots as possible change: an endpoint that was there keeps its slot, a new one takes the slot
 * of one that went, or the next at the end; slots left over are filled from the end. Slots stay dense: 0 … N-1.
 * `previous` are endpoint names (`ip:port`) by slot, as they are in the kernel.
 */
export function arrange(previous: readonly string[], next: readonly Endpoint[]): readonly Endpoint[] {
  if (previous.length === 0 || next.length === 0) return next
  const waiting = new Map(next.map(endpoint => [endpointName(endpoint), endpoint]))
  const slots: (Endpoint | undefined)[] = previous.map(name => {
    const kept = waiting.get(name)
    if (kept !== undefined) waiting.delete(name)
    return kept
  })
  const added = waiting.values()
  for (let slot = 0; slot < slots.length; slot++) slots[slot] ??= added.next().value
  slots.push(...added)
  for (let slot = 0; slot < slots.length; slot++) {
    while (slots.length > slot && slots.at(-1) === undefined) slots.pop()
    if (slot < slots.length) slots[slot] ??= slots.pop()
  }
  return slots as Endpoint[]
}

/**
 * A view with its lists in slot order, given the view that the kernel has now (undefined: a new service port, whose order stands as it is). With
 * session affinity there are no slots, but chains that are written anew in whole: their order must not depend on what was there before.
 */
export function keepSlots(previous: ServicePortView | undefined, view: ServicePortView): ServicePortView {
  if (previous === undefined || view.port.affinitySeconds > 0) return view
  const { endpoints } = view
  const cluster = arrange(previous.endpoints.cluster.map(endpointName), endpoints.cluster)
  const local = arrange(previous.endpoints.local.map(endpointName), endpoints.local)
  const arranged: UsableEndpoints = {
    ...endpoints,
    cluster,
    local,
    reachable: endpoints.reachable === endpoints.cluster ? cluster : endpoints.reachable,
  }
  return { ...view, endpoints: arranged }
}
