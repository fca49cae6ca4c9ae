import type { ServicePortView } from '../model/types.ts'

/** Above so many endpoints, kube-proxy leaves out comments to keep the tables small (largeClusterEndpointsThreshold). */
const THRESHOLD = 1000

export function isLargeCluster(endpoints: number): boolean {
  return endpoints > THRESHOLD
}

/** How many endpoints some service ports add to that number: usable or not. */
export function countedEndpoints(views: readonly ServicePortView[]): number {
  return views.reduce((count, { endpoints }) => count + endpoints.all.length, 0)
}
