import type { KubernetesObject } from '../delta/change.ts'
import { type GeneratedObject, generateCluster } from '../gen/index.ts'
import type { EndpointSlice, Node, Service, ServiceCIDR, Snapshot } from '../snapshot/types.ts'

/** The node whose rules are made: the first that is generated. */
export const NODE_NAME = 'worker-1'

/** Services that are not there at first, to be added. */
const SPARE_SERVICES = 100

export interface Size {
  readonly services: number
  /** Of each service. */
  readonly endpoints: number
}

/** A service and its slices. */
export interface ServiceObjects {
  readonly service: Service
  readonly slices: readonly EndpointSlice[]
}

interface WorkloadObjects {
  readonly nodes: readonly Node[]
  readonly serviceCIDRs: readonly ServiceCIDR[]
  readonly services: readonly ServiceObjects[]
  readonly spare: readonly ServiceObjects[]
}

/**
 * A synthetic cluster of ClusterIP services with one TCP port each, the same in every run. Its objects are made when they are first asked for.
 * Asking throws a DiagnosticsError when the cluster needs more addresses than there are.
 */
export class Workload {
  readonly size: Size
  #objects: WorkloadObjects | undefined

  constructor(size: Size) {
    this.size = size
  }

  get services(): readonly ServiceObjects[] {
    return this.#made.services
  }

  /** Services that the cluster does not have yet. */
  get spare(): readonly ServiceObjects[] {
    return this.#made.spare
  }

  /** The cluster as one list, nodes first. */
  get objects(): KubernetesObject[] {
    return objectsOf(this.snapshot)
  }

  get snapshot(): Snapshot {
    const { nodes, serviceCIDRs, services } = this.#made
    return {
      nodes,
      serviceCIDRs,
      services: services.map(({ service }) => service),
      endpointSlices: services.flatMap(({ slices }) => slices),
    }
  }

  get #made(): WorkloadObjects {
    this.#objects ??= make(this.size)
    return this.#objects
  }
}

export function objectsOf({ nodes, serviceCIDRs, services, endpointSlices }: Snapshot): KubernetesObject[] {
  return [...nodes, ...serviceCIDRs, ...services, ...endpointSlices]
}

function make({ services, endpoints }: Size): WorkloadObjects {
  const objects = [...generateCluster({ services: services + SPARE_SERVICES, endpoints })]
  const of = <K extends GeneratedObject['kind']>(kind: K) =>
    objects.filter((object): object is Extract<GeneratedObject, { kind: K }> => object.kind === kind)
  const slices = of('EndpointSlice')
  const each = slices.length / (services + SPARE_SERVICES)
  const all = of('Service').map((service, i) => ({ service, slices: slices.slice(i * each, (i + 1) * each) }))
  return { nodes: of('Node'), serviceCIDRs: of('ServiceCIDR'), services: all.slice(0, services), spare: all.slice(services) }
}
