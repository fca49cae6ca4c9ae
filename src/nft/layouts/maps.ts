import { isExternallyAccessible } from '../../model/categorize.ts'
import type { Endpoint, NodeContext, Protocol, ServicePort, ServicePortView } from '../../model/types.ts'
import { emitBase } from './base.ts'
import { emitFrontends, emitHairpins, externalAddresses, portKey } from './frontends.ts'
import type { Layout, Sink } from './layout.ts'
import { DIALECT_1_36, emitFirewall, emitServiceChains } from './service-chains.ts'
import { localMatch, setMark, type Words, wordsOf } from './words.ts'

const PROTOCOLS: readonly Protocol[] = ['tcp', 'udp', 'sctp']

/** Addresses or node ports: node ports have the same chains and maps, without the address in the keys. */
interface FrontendKind {
  /** What stands before the protocol in chain and map names. */
  readonly infix: '' | 'nodeport-'
  readonly localDispatch: 'local-service-ips' | 'local-service-nodeports'
  /** Key of the dispatch map, as rule text. */
  dispatchKey(words: Words): string
  /** Key of the endpoint maps up to the slot. */
  endpointKey(protocol: Protocol, words: Words): string
}

const ADDRESS: FrontendKind = {
  infix: '',
  localDispatch: 'local-service-ips',
  dispatchKey: ({ ip }) => `${ip} daddr . meta l4proto . th dport`,
  endpointKey: (protocol, { ip }) => `${ip} daddr . ${protocol} dport`,
}

const NODE_PORT: FrontendKind = {
  infix: 'nodeport-',
  localDispatch: 'local-service-nodeports',
  dispatchKey: () => 'meta l4proto . th dport',
  endpointKey: protocol => `${protocol} dport`,
}

/** Source ranges as return rules: an anonymous set a chain makes a full load quadratic (nft 1.0.6, kernel 6.18). */
const RETURN_RULES = {
  firewall: (sources: readonly string[], ip: string): string[] => {
    // As the kernel gives it back: the whole length of an address goes without saying.
    const host = ip === 'ip' ? /\/32$/ : /\/128$/
    return [...new Set(sources.map(source => source.replace(host, '')))].map(source => `${ip} saddr ${source} return`).concat('drop')
  },
}

/**
 * All per-service state in a few named maps, and a handful of chains that services share: one a protocol and number of endpoints. The kernel picks
 * an endpoint by `address . port . slot`, so a change is a few element operations, whatever the size of the cluster. Its maps are one a
 * protocol, because nft 1.0.6 turns a `tcp dport` in a map's typeof into a protocol check and cannot refer to a `th dport` map in a later transaction.
 */
export const maps: Layout = {
  name: 'maps',
  table: 'kubenft',
  tableComment: 'rules for Kubernetes Services',
  sharedSets: new Set(['cluster-ips', 'hairpin-connections']),
  keepsSlots: true,
  base(node, sink) {
    emitBase(node, { marking: 'inline' }, sink)
    const words = wordsOf(node.family)
    sink.map('local-service-ips', { type: `${words.addressType} . inet_proto . inet_service`, value: 'verdict' })
    sink.map('local-service-nodeports', { type: 'inet_proto . inet_service', value: 'verdict' })
    for (const kind of [ADDRESS, NODE_PORT]) {
      for (const protocol of PROTOCOLS) {
        const type = `${kind.endpointKey(protocol, words)} . numgen random mod 65536`
        const declaration = { typeof: true, type, value: `${words.ip} daddr . ${protocol} dport` }
        sink.map(endpointMap(kind, protocol, false), declaration)
        sink.map(endpointMap(kind, protocol, true), declaration)
      }
    }
  },
  servicePort(view, node, sink) {
    if (view.port.affinitySeconds > 0) emitServiceChains(view, node, { ...DIALECT_1_36, ...RETURN_RULES }, sink)
    else emitSlots(view, node, sink)
    emitHairpins(view, sink)
  },
}

function endpointMap({ infix }: FrontendKind, protocol: Protocol, local: boolean): string {
  return `${local ? 'local-' : ''}${protocol}-${infix}endpoints`
}

/** Where a service port's slots stand: keys are completed by ` . SLOT`. */
export interface SlotPlace {
  readonly map: string
  readonly key: string
}

/** The places of a service port's two lists of endpoints, its cluster IP's first. All places of a list hold the same endpoints in the same order. */
export function slotPlaces(port: ServicePort): { readonly cluster: readonly SlotPlace[]; readonly local: readonly SlotPlace[] } {
  const { protocol } = port
  const internal = takesInternalPath(port) ? [{ map: endpointMap(ADDRESS, protocol, false), key: `${port.clusterIP} . ${port.port}` }] : []
  const external = (local: boolean): SlotPlace[] => [
    ...externalAddresses(port).map(address => ({ map: endpointMap(ADDRESS, protocol, local), key: `${address} . ${port.port}` })),
    ...(port.nodePort === 0 ? [] : [{ map: endpointMap(NODE_PORT, protocol, local), key: String(port.nodePort) }]),
  ]
  return {
    cluster: [...(port.internalPolicyLocal ? [] : internal), ...external(false)],
    local: [...(port.internalPolicyLocal ? internal : []), ...(port.externalPolicyLocal ? external(true) : [])],
  }
}

/** Whether the cluster IP has slots of its own: not when it is also an external address. */
function takesInternalPath(port: ServicePort): boolean {
  return port.clusterIP !== '' && !externalAddresses(port).includes(port.clusterIP)
}

function emitSlots(view: ServicePortView, node: NodeContext, sink: Sink): void {
  const { port, endpoints } = view
  const internalList = port.internalPolicyLocal ? endpoints.local : endpoints.cluster
  let internal: string | undefined
  let external: string | undefined
  let nodePort: string | undefined
  if (takesInternalPath(port) && internalList.length > 0) {
    internal = gotoSlots(ADDRESS, port.protocol, false, internalList.length, node, sink)
    fillSlots(endpointMap(ADDRESS, port.protocol, false), `${port.clusterIP} . ${port.port}`, internalList, sink)
  }
  if (endpoints.cluster.length > 0 && isExternallyAccessible(port)) {
    const addresses = externalAddresses(port)
    if (addresses.length > 0)
      external = emitExternal(
        ADDRESS,
        view,
        addresses.map(address => `${address} . `),
        port.port,
        node,
        sink,
      )
    if (port.nodePort !== 0) nodePort = emitExternal(NODE_PORT, view, [''], port.nodePort, node, sink)
  }
  emitFrontends(view, { internal, external, nodePort, firewall: emitFirewall(port, node, RETURN_RULES, sink) }, sink)
}

function fillSlots(map: string, key: string, list: readonly Endpoint[], sink: Sink): void {
  let slot = 0
  for (const { ip, port } of list) sink.element(map, `${key} . ${slot++}`, `${ip} . ${port}`)
}

/** The slots of external frontends, and the verdict that leads to them. `prefixes` stand before the port in the keys: an address, or nothing. */
function emitExternal(
  kind: FrontendKind,
  { port, endpoints }: ServicePortView,
  prefixes: readonly string[],
  number: number,
  node: NodeContext,
  sink: Sink,
): string {
  const { protocol } = port
  const { cluster, local } = endpoints
  for (const prefix of prefixes) fillSlots(endpointMap(kind, protocol, false), `${prefix}${number}`, cluster, sink)
  if (!port.externalPolicyLocal) return gotoExternal(kind, protocol, cluster.length, node, sink)
  if (local.length > 0) {
    const verdict = gotoSlots(kind, protocol, true, local.length, node, sink)
    for (const prefix of prefixes) {
      fillSlots(endpointMap(kind, protocol, true), `${prefix}${number}`, local, sink)
      sink.element(kind.localDispatch, `${prefix}${portKey(port, number)}`, verdict)
    }
  }
  return gotoExternalLocal(kind, protocol, cluster.length, node, sink)
}

/** The shared chain that picks one of `count` endpoints. */
function gotoSlots(kind: FrontendKind, protocol: Protocol, local: boolean, count: number, { family }: NodeContext, sink: Sink): string {
  const words = wordsOf(family)
  const chain = `${local ? 'local-' : ''}${kind.infix}${protocol}-${count}`
  sink.sharedChain(chain, () => [
    `dnat ${words.ip} addr . port to ${kind.endpointKey(protocol, words)} . numgen random mod ${count} map @${endpointMap(kind, protocol, local)}`,
  ])
  return `goto ${chain}`
}

/** External policy Cluster: masquerade, then any endpoint. */
function gotoExternal(kind: FrontendKind, protocol: Protocol, count: number, node: NodeContext, sink: Sink): string {
  const slots = gotoSlots(kind, protocol, false, count, node, sink)
  const chain = `external-${kind.infix}${protocol}-${count}`
  sink.sharedChain(chain, () => [setMark(node), slots])
  return `goto ${chain}`
}

/** External policy Local: pods and the node itself reach every endpoint, everyone else the local ones. */
function gotoExternalLocal(kind: FrontendKind, protocol: Protocol, count: number, node: NodeContext, sink: Sink): string {
  const slots = gotoSlots(kind, protocol, false, count, node, sink)
  const chain = `external-local-${kind.infix}${protocol}-${count}`
  const words = wordsOf(node.family)
  const fromPods = localMatch(node.localDetector, words)
  sink.sharedChain(chain, () => [
    ...(fromPods === undefined ? [] : [`${fromPods} ${slots}`]),
    `fib saddr type local ${setMark(node)}`,
    `fib saddr type local ${slots}`,
    `${kind.dispatchKey(words)} vmap @${kind.localDispatch}`,
  ])
  return `goto ${chain}`
}
