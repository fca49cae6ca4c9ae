import { endpointName } from './endpoint-slice.ts'
import type { Endpoint, ServicePort, UsableEndpoints } from './types.ts'

/** Shared by the many service ports that lack some kind of endpoint. */
const EMPTY: readonly Endpoint[] = []
const NONE: UsableEndpoints = { cluster: EMPTY, local: EMPTY, reachable: EMPTY, all: EMPTY, any: false }

/** Whether the service port can be reached by anything besides its cluster IP. */
export function isExternallyAccessible({ nodePort, externalIPs, loadBalancerVIPs }: ServicePort): boolean {
  return nodePort !== 0 || externalIPs.length > 0 || loadBalancerVIPs.length > 0
}

/** Whether any traffic follows policy Cluster: external policy Local needs it too, for pods and the node itself (short-circuit). */
export function usesClusterEndpoints(port: ServicePort): boolean {
  return !port.internalPolicyLocal || isExternallyAccessible(port)
}

/** Whether any traffic follows policy Local. */
export function usesLocalEndpoints(port: ServicePort): boolean {
  return port.internalPolicyLocal || (port.externalPolicyLocal && isExternallyAccessible(port))
}

/**
 * Sorts endpoints into the lists that a node uses, as kube-proxy 1.36's CategorizeEndpoints does (KEP-1669 for terminating endpoints,
 * KEP-2433 and KEP-3015 for hints). `endpoints` are merged and sorted; the lists keep that order.
 */
export function categorize(
  endpoints: readonly Endpoint[],
  port: ServicePort,
  node: { readonly nodeName: string; readonly zone: string },
): UsableEndpoints {
  if (endpoints.length === 0) return NONE
  const usesCluster = usesClusterEndpoints(port)
  const usesLocal = usesLocalEndpoints(port)
  const ready = filtered(endpoints, endpoint => endpoint.ready)
  const terminating = ready === endpoints ? EMPTY : endpoints.filter(({ ready, serving, terminating }) => !ready && serving && terminating)

  const hinted = usesCluster ? followHints(ready, node) : undefined
  const cluster = !usesCluster ? EMPTY : ready.length > 0 ? (hinted ?? ready) : terminating
  if (!usesLocal) return { cluster, local: EMPTY, reachable: cluster, all: endpoints, any: cluster.length > 0 }

  const localReady = filtered(ready, endpoint => endpoint.isLocal)
  const local = localReady.length > 0 ? localReady : terminating.filter(endpoint => endpoint.isLocal)
  const any = ready.length > 0 || terminating.length > 0
  if (!usesCluster) return { cluster, local, reachable: local, all: endpoints, any }
  return { cluster, local, reachable: union(cluster, local), all: endpoints, any }
}

/** The same list when every endpoint stays, as most lists do. */
function filtered(endpoints: readonly Endpoint[], stays: (endpoint: Endpoint) => boolean): readonly Endpoint[] {
  return endpoints.every(stays) ? endpoints : endpoints.filter(stays)
}

/** The ready endpoints that hints leave for this node; undefined when hints do not apply: one endpoint lacks them, or none is for here. */
function followHints(
  ready: readonly Endpoint[],
  { nodeName, zone }: { readonly nodeName: string; readonly zone: string },
): Endpoint[] | undefined {
  return hintedFor(ready, 'nodeHints', nodeName) ?? hintedFor(ready, 'zoneHints', zone)
}

function hintedFor(ready: readonly Endpoint[], kind: 'nodeHints' | 'zoneHints', here: string): Endpoint[] | undefined {
  if (ready.some(endpoint => endpoint[kind] === undefined)) return undefined
  const hinted = ready.filter(endpoint => endpoint[kind]?.includes(here))
  return hinted.length > 0 ? hinted : undefined
}

function union(cluster: readonly Endpoint[], local: readonly Endpoint[]): readonly Endpoint[] {
  const known = new Set(cluster)
  const extra = local.filter(endpoint => !known.has(endpoint))
  if (extra.length === 0) return cluster
  return [...cluster, ...extra]
    .map(endpoint => ({ endpoint, name: endpointName(endpoint) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(entry => entry.endpoint)
}
