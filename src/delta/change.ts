import type { EndpointSlice, HostFacts, KubeProxyConfiguration, Node, Service, ServiceCIDR, Snapshot } from '../snapshot/types.ts'

export type KubernetesObject = Service | EndpointSlice | Node | ServiceCIDR

/** A change of the cluster or of the node's configuration, as a watch would deliver it. `set` covers added and modified. */
export type Change =
  | { readonly type: 'set'; readonly object: KubernetesObject }
  | { readonly type: 'delete'; readonly kind: KubernetesObject['kind']; readonly namespace?: string; readonly name: string }
  | { readonly type: 'configuration'; readonly configuration: KubeProxyConfiguration | undefined }
  | { readonly type: 'host'; readonly host: HostFacts | undefined }

/** `Kind namespace/name`; objects of one identity replace each other. */
function identity(object: KubernetesObject): string {
  return `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`
}

function objectsOf({ nodes, serviceCIDRs, services, endpointSlices }: Snapshot): KubernetesObject[] {
  return [...nodes, ...serviceCIDRs, ...services, ...endpointSlices]
}

/** The changes that lead from one snapshot to another. Objects are compared by content, so an untouched object costs nothing later. */
export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  const old = new Map(objectsOf(before).map(object => [identity(object), object]))
  const changes: Change[] = []
  for (const object of objectsOf(after)) {
    const known = old.get(identity(object))
    old.delete(identity(object))
    if (known === undefined || JSON.stringify(known) !== JSON.stringify(object)) changes.push({ type: 'set', object })
  }
  for (const { kind, metadata } of old.values()) {
    changes.push({
      type: 'delete',
      kind,
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    })
  }
  return changes
}
