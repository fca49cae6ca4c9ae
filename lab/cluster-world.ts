import type { EndpointSlice, Snapshot } from '../src/snapshot/types.ts'
import type { Listener, Protocol } from './protocol.ts'
import type { HostSpec, WorldSpec } from './world.ts'

/** A snapshot's cluster around one of its nodes, and the servers that its endpoints are. */
export interface ClusterWorld extends WorldSpec {
  /** Servers by host; those of the node itself under its name. */
  readonly listeners: ReadonlyMap<string, readonly Listener[]>
}

interface Growing {
  readonly addresses: Set<string>
  readonly listeners: Map<string, Listener>
}

/**
 * The node is the router; each of its pods is a host of its own, each other node one host with all its pods. `clients` are added as they are.
 * Every endpoint of every slice gets its servers, ready or not: which of them are used is for the rules to say.
 */
export function clusterWorld(snapshots: readonly Snapshot[], nodeName: string, clients: readonly HostSpec[]): ClusterWorld {
  const machines = new Map<string, string>()
  for (const { metadata, status } of snapshots.flatMap(({ nodes }) => nodes))
    for (const { type, address } of status?.addresses ?? []) if (type !== 'Hostname') machines.set(address, metadata.name)

  const hosts = new Map<string, Growing>(
    [...new Set(machines.values())].map(name => [name, { addresses: new Set(), listeners: new Map() }]),
  )
  for (const [address, name] of machines) hosts.get(name)?.addresses.add(address)
  for (const { slice, index, endpoint } of endpointsOf(snapshots)) {
    for (const address of endpoint.addresses) {
      const elsewhere = endpoint.nodeName === nodeName ? podName(slice, index) : (endpoint.nodeName ?? nodeName)
      const name = machines.get(address) ?? elsewhere
      const host = hosts.get(name) ?? { addresses: new Set(), listeners: new Map() }
      hosts.set(name, host)
      host.addresses.add(address)
      for (const listener of listenersOf(slice, address)) host.listeners.set(JSON.stringify(listener), listener)
    }
  }
  const own = hosts.get(nodeName)
  const others = [...hosts].filter(([name]) => name !== nodeName)
  return {
    nodeAddresses: [...(own?.addresses ?? [])],
    hosts: [...others.map(([name, { addresses }], index) => ({ name, device: `veth${index}`, addresses: [...addresses] })), ...clients],
    listeners: new Map([...hosts].map(([name, { listeners }]) => [name, [...listeners.values()]])),
  }
}

function* endpointsOf(snapshots: readonly Snapshot[]) {
  for (const slice of snapshots.flatMap(({ endpointSlices }) => endpointSlices)) {
    if (slice.addressType === 'FQDN') continue
    for (const [index, endpoint] of (slice.endpoints ?? []).entries()) yield { slice, index, endpoint }
  }
}

/** The IPv4 and IPv6 addresses of a pod stand at the same place of the service's slices; if not, two pods share a namespace, which does no harm. */
function podName({ metadata: { namespace, labels } }: EndpointSlice, index: number): string {
  return `${namespace}/${labels?.['kubernetes.io/service-name']}-${index}`
}

function listenersOf({ ports }: EndpointSlice, address: string): Listener[] {
  return (ports ?? []).flatMap(({ port, protocol }) => {
    const name = (protocol ?? 'TCP').toLowerCase()
    return port && name !== 'sctp' ? [{ protocol: name as Protocol, address, port }] : []
  })
}
