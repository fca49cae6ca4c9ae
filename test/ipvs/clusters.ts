import type fc from 'fast-check'
import { Cluster } from '../../src/model/cluster.ts'
import { nodeContexts } from '../../src/model/node.ts'
import type { NodeContext, ServicePortView } from '../../src/model/types.ts'
import { history } from '../support/arbitraries.ts'

export type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** What is known of a history's node before its first change, in both families. */
export function contextsOf(input: Pick<History, 'node' | 'configuration'>): NodeContext[] {
  const snapshot = { nodes: [input.node], serviceCIDRs: [], services: [], endpointSlices: [] }
  return nodeContexts({ snapshot, configuration: input.configuration, host: HOST, nodeName: undefined, report: () => {} })
}

/** The service ports of a cluster after all changes of a history that are about services. */
export function viewsAfter({ rounds }: History, context: NodeContext): ServicePortView[] {
  const cluster = new Cluster(context.family, () => {})
  for (const change of rounds.flat()) applyTo(cluster, change)
  return cluster.keys().flatMap(key => cluster.views(key, context))
}

/** Applies a change of a service or slice; others are none of a cluster's. */
export function applyTo(cluster: Cluster, change: History['rounds'][number][number]): void {
  if (change.type === 'set') {
    if (change.object.kind === 'Service') cluster.setService(change.object)
    if (change.object.kind === 'EndpointSlice') cluster.setSlice(change.object)
  }
  if (change.type === 'delete') {
    if (change.kind === 'Service') cluster.deleteService(change.namespace ?? 'default', change.name)
    if (change.kind === 'EndpointSlice') cluster.deleteSlice(change.namespace ?? 'default', change.name)
  }
}

/** Has one of the addresses that the random services use as external ones, which then must not go to kube-ipvs0. */
const HOST = {
  nodeName: 'node-a',
  families: ['IPv4', 'IPv6'],
  interfaces: [
    { name: 'lo', addresses: ['127.0.0.1/8', '::1/128'] },
    { name: 'eth0', addresses: ['192.168.0.2/24', '203.0.113.3/24', '2001:db8::1/64', 'fe80::1/64'] },
  ],
  nfacct: [],
} as const

export { history }
