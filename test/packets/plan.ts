import type { Protocol } from '../../lab/protocol.ts'
import type { NodeContext, ServicePortView } from '../../src/model/types.ts'
import { externalAddresses } from '../../src/nft/layouts/frontends.ts'

/** Where the world's packets come from. `bridge` and `prefixed` are pods behind the interfaces that those two local detectors know. */
export type Place = 'pod' | 'bridge' | 'prefixed' | 'node' | 'outside'

export interface Source {
  readonly place: Place
  readonly address: string
}

export interface Target {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** How many packets each source sends. As many as there are endpoints, in a row, meet all of them when the rules count. */
  readonly packets: number
}

/** Every source sends to every target. */
export interface Plan {
  readonly sources: readonly Source[]
  readonly targets: readonly Target[]
}

/** Every place has an address that is nothing else; source ranges and endpoints give more. */
const OWN_ADDRESSES: Readonly<Record<NodeContext['family'], readonly Source[]>> = {
  ipv4: [
    { place: 'pod', address: '10.0.0.9' },
    { place: 'bridge', address: '10.3.0.1' },
    { place: 'prefixed', address: '10.4.0.1' },
    { place: 'outside', address: '198.51.100.77' },
  ],
  ipv6: [
    { place: 'pod', address: 'fd00:10::9:9' },
    { place: 'bridge', address: 'fd00:10::3:1' },
    { place: 'prefixed', address: 'fd00:10::4:1' },
    { place: 'outside', address: '2001:db8:77::1' },
  ],
}

/** A port on which no service listens. */
const NO_SERVICE = 9
/** An address in every ServiceCIDR of the cases that no service has. */
const UNALLOCATED = { ipv4: '172.30.200.201', ipv6: 'fd00:10:96::abcd' } as const

/** Every kind of packet that the services of a node tell apart. */
export function planFor(node: NodeContext, views: readonly ServicePortView[]): Plan {
  const reachable = views.flatMap(view => [...view.endpoints.reachable])
  const targets = [...targetsOf(node, views)]
  const known = new Set([...targets, ...reachable.map(({ ip }) => ({ address: ip }))].map(({ address }) => address))
  const ranges = new Set(views.flatMap(({ port }) => port.sourceRanges.map(range => range.slice(0, range.indexOf('/')))))
  return {
    targets,
    sources: [
      ...OWN_ADDRESSES[node.family].filter(({ place }) => isThere(place, node)),
      { place: 'node', address: node.nodeIP },
      ...addressesOf(node)
        .filter(address => address !== node.nodeIP)
        .map(address => ({ place: 'node', address }) as const),
      ...hairpinSources(reachable.filter(({ ip }) => isPod(ip)).map(({ ip }) => ip)).map(address => ({ place: 'pod', address }) as const),
      ...[...ranges]
        .filter(address => !known.has(address) && !isPod(address) && !/^[0:.]+$/.test(address))
        .map(address => ({ place: 'outside', address }) as const),
    ],
  }
}

/** Endpoints of two services at most: enough for a connection of an endpoint to itself and to another one. */
function hairpinSources(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].sort().slice(0, 3)
}

function isThere(place: Place, { localDetector }: NodeContext): boolean {
  if (place === 'bridge') return localDetector.kind === 'bridge'
  return place !== 'prefixed' || localDetector.kind === 'prefix'
}

/** Pods of the cases have addresses in these ranges. */
function isPod(address: string): boolean {
  return /^(10\.|fd00:10::)/.test(address)
}

/** The node's addresses. When the node masquerades a connection from one that is not its first, it shows. */
export function addressesOf({ hostAddresses }: NodeContext): string[] {
  return hostAddresses.filter(({ interfaceName }) => interfaceName !== 'lo').map(({ address }) => address)
}

function* targetsOf(node: NodeContext, views: readonly ServicePortView[]): Generator<Target> {
  const nodeAddresses = addressesOf(node)
  const seen = new Set<string>()
  for (const { port, endpoints } of views) {
    // No sockets for SCTP here; its rules are those of the other two, word for word.
    if (port.protocol === 'sctp') continue
    const { protocol } = port
    const count = Math.max(1, endpoints.reachable.length)
    const addresses = [port.clusterIP, ...externalAddresses(port)].filter(address => address !== '')
    for (const address of addresses) yield { protocol, address, port: port.port, packets: count }
    if (port.nodePort > 0) for (const address of nodeAddresses) yield { protocol, address, port: port.nodePort, packets: count }
    if (seen.has(port.clusterIP)) continue
    seen.add(port.clusterIP)
    for (const address of addresses) yield { protocol, address, port: NO_SERVICE, packets: 1 }
  }
  yield { protocol: 'tcp', address: UNALLOCATED[node.family], port: 80, packets: 1 }
}
