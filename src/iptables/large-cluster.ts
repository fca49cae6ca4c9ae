import type { ServicePortView } from '../model/types.ts'

/** Above so many endpoints, kube-proxy leaves out comments to keep the tables small (largeClusterEndpointsThreshold). */
const THRESHOLD = 1000

export function isLargeCluster(views: Iterable<ServicePortView>): boolean {
  let count = 0
  for (const { endpoints } of views) count += endpoints.reachable.length
  return count > THRESHOLD
}
