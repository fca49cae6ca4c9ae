import type { Report } from '../diagnostics.ts'
import type { Snapshot } from '../snapshot/types.ts'
import { Cluster } from './cluster.ts'
import type { NodeContext, ServicePortView } from './types.ts'

/** Every service port of a snapshot as a node sees it, sorted by service, for a render of the whole. */
export function viewsOf({ services, endpointSlices }: Snapshot, node: NodeContext, report: Report): ServicePortView[] {
  const cluster = new Cluster(node.family, report)
  for (const service of services) cluster.setService(service)
  for (const slice of endpointSlices) cluster.setSlice(slice)
  return cluster.keys().flatMap(key => cluster.views(key, node))
}
