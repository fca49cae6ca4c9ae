import { type GeneratedObject, generateCluster } from '../gen/index.ts'
import type { EndpointSlice, Node, Service, ServiceCIDR, Snapshot } from '../snapshot/types.ts'

/** The node whose rules are made: the first that is generated. */
export const NODE_NAME = 'worker-1'

/** Services that are not there at first, to be added. */
const SPARE_SERVICES = 100

/** A service and its slices. */
export interface ServiceObjects {
  readonly service: Service
  readonly slices: readonly EndpointSlice[]
}

/** A synthetic cluster of ClusterIP services with one TCP port each, the same for every layout and every run. */
export interface Workload {
  readonly endpoints: number
  readonly nodes: readonly Node[]
  readonly serviceCIDRs: readonly ServiceCIDR[]
  readonly services: readonly ServiceObjects[]
  readonly spare: readonly ServiceObjects[]
}

/** Makes the cluster. Throws a DiagnosticsError when it would need more addresses than there are. */
export function createWorkload(services: number, endpoints: number): Workload {
  const objects = [...workloadObjects(services + SPARE_SERVICES, endpoints)]
  const of = <K extends GeneratedObject['kind']>(kind: K) =>
    objects.filter((object): object is Extract<GeneratedObject, { kind: K }> => object.kind === kind)
  const slices = of('EndpointSlice')
  const each = slices.length / (services + SPARE_SERVICES)
  const all = of('Service').map((service, i) => ({ service, slices: slices.slice(i * each, (i + 1) * each) }))
  return {
    endpoints,
    nodes: of('Node'),
    serviceCIDRs: of('ServiceCIDR'),
    services: all.slice(0, services),
    spare: all.slice(services),
  }
}

/** The objects of such a cluster one at a time, for whoever must not keep them. */
export function workloadObjects(services: number, endpoints: number): Iterable<GeneratedObject> {
  return generateCluster({ services, endpoints })
}

export function snapshotOf({ nodes, serviceCIDRs, services }: Workload): Snapshot {
  return {
    nodes,
    serviceCIDRs,
    services: services.map(({ service }) => service),
    endpointSlices: services.flatMap(({ slices }) => slices),
  }
}
