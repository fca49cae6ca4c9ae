import type { EndpointSlice, Node, Service, ServiceCIDR } from '../snapshot/types.ts'
import { PodAddresses } from './addresses.ts'
import { checkCapacity } from './capacity.ts'
import { endpointSliceObjects } from './endpoint-slices.ts'
import { type ClusterPlan, nodeObject, serviceCIDRObject } from './nodes.ts'
import { type CompleteOptions, completeOptions, type GenOptions } from './options.ts'
import { bothFamilies, planServices, podsOf } from './plan.ts'
import { serviceObject } from './service.ts'
import type { Typed } from './types.ts'

export type GeneratedObject = Typed<Node> | Typed<ServiceCIDR> | Typed<Service> | Typed<EndpointSlice>

/**
 * A synthetic cluster: its Nodes, ServiceCIDR, Services and EndpointSlices, in this order, made one at a time. The same options give the same objects.
 * Throws a DiagnosticsError, at once, for options out of range and for more addresses or node ports than there are.
 */
export function generateCluster(options: GenOptions): Generator<GeneratedObject, void, undefined> {
  const complete = completeOptions(options)
  checkCapacity(complete)
  return objects(complete)
}

function* objects(options: CompleteOptions): Generator<GeneratedObject, void, undefined> {
  const { seed, zones, primaryFamily } = options
  const cluster: ClusterPlan = {
    seed,
    zones,
    families: options.dualStack > 0 ? bothFamilies(primaryFamily) : [primaryFamily],
    pods: new PodAddresses(options.nodes, podsOf(options)),
  }
  for (let node = 0; node < options.nodes; node++) yield nodeObject(node, cluster)
  yield serviceCIDRObject(cluster)
  for (const plan of planServices(options)) yield serviceObject(plan, cluster)
  for (const plan of planServices(options)) yield* endpointSliceObjects(plan, cluster)
}
