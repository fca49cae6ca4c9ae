import fc from 'fast-check'
import { nodeContexts } from '../../src/model/node.ts'
import type { NodeContext, ServicePortView } from '../../src/model/types.ts'
import { viewsOf } from '../../src/model/views.ts'
import type { HostFacts } from '../../src/snapshot/types.ts'
import { configuration, node, service, slice } from '../support/arbitraries.ts'

/** A node with both families on which kube-proxy finds its counters or does not. */
export const host: fc.Arbitrary<HostFacts> = fc.subarray(['ct_state_invalid_dropped_pkts', 'localhost_nps_accepted_pkts']).map(nfacct => ({
  nodeName: 'node-a',
  families: ['IPv4', 'IPv6'],
  interfaces: [
    { name: 'lo', addresses: ['127.0.0.1/8', '::1/128'] },
    { name: 'eth0', addresses: ['192.168.0.2/24', '2001:db8::1/64'] },
  ],
  nfacct,
}))

/** The views of a random cluster from a random node in one family. */
export const seen: fc.Arbitrary<{ readonly node: NodeContext; readonly views: readonly ServicePortView[] }> = fc
  .record({
    nodes: node.map(only => [only]),
    configuration,
    host,
    family: fc.constantFrom('ipv4', 'ipv6'),
    services: fc.uniqueArray(service, { maxLength: 5, selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}` }),
    endpointSlices: fc.uniqueArray(slice, { maxLength: 5, selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}` }),
  })
  .map(({ configuration, host, family, ...objects }) => {
    const snapshot = { ...objects, serviceCIDRs: [] }
    const report = (): void => undefined
    const context = nodeContexts({ snapshot, configuration, host, nodeName: undefined, report }).find(found => found.family === family)
    if (context === undefined) throw new Error('the host has both families')
    return { node: context, views: viewsOf(snapshot, context, report) }
  })
