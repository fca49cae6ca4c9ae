import type { ServicePortChange } from '../delta/explain.ts'
import type { Endpoint, NodeContext, ServicePort, ServicePortView } from '../model/types.ts'
import { externalAddresses } from '../nft/layouts/frontends.ts'
import type { Command } from '../nft/objects.ts'
import type { Flow } from './conntrack-flows.ts'

/** Which flows one delete command is for; what is not set matches everything. */
export interface FlowFilter {
  readonly destination?: string
  readonly port?: number
  readonly answeredBy: string
  readonly answeredPort: number
}

/** What the UDP frontends that were looked at should lead to. */
interface Frontends {
  /** By address and port: cluster IPs, external IPs, load-balancer addresses. Undefined: the frontend is gone. */
  readonly addresses: Map<string, ServicePortView | undefined>
  readonly nodePorts: Map<number, ServicePortView | undefined>
  /** What was behind each node port. */
  readonly former: Map<number, ServicePortView>
}

/** What happened to the rules of one family. */
export interface FamilyChange {
  readonly node: NodeContext
  /** What the transaction was about (`Transaction.changes`). */
  readonly changes: readonly ServicePortChange[]
  /** The transaction itself: when it started from a live table, only its operations tell of services that are gone. */
  readonly operations?: readonly Command[]
}

interface Frontend {
  /** Undefined: a node port. */
  readonly address: string | undefined
  readonly port: number
}

/** Whether there is anything that flows could be stale for: without a UDP frontend nothing has to be listed. */
export function concernsUdp({ changes, operations }: FamilyChange): boolean {
  return (
    changes.some(({ before, after }) => before?.port.protocol === 'udp' || after?.port.protocol === 'udp') ||
    deletedFrontends(operations).length > 0
  )
}

/** UDP frontends whose elements leave the maps that dispatch to services, whose names are the same in all layouts. */
function deletedFrontends(operations: readonly Command[] = []): Frontend[] {
  return operations.flatMap(({ verb, object }) => {
    if (verb !== 'delete' || object.kind !== 'element') return []
    const parts = object.key.split(' . ')
    if (object.set === 'service-ips' && parts[1] === 'udp') return [{ address: parts[0], port: Number(parts[2]) }]
    if (object.set === 'service-nodeports' && parts[0] === 'udp') return [{ address: undefined, port: Number(parts[1]) }]
    return []
  })
}

/**
 * The filters that match exactly the stale ones of the flows. Stale, as kube-proxy has it (pkg/proxy/conntrack/cleanup.go): a flow to a UDP frontend
 * whose answers do not come from a serving endpoint of its service. Traffic policy, topology and termination do not count: a flow
 * stays where it is as long as the endpoint answers. Beyond kube-proxy, flows are stale too when the service has no serving endpoint left, the
 * frontend is gone, or the endpoint has another port now; and only the node's own addresses have node ports.
 */
export function planConntrack(change: FamilyChange, flows: readonly Flow[]): FlowFilter[] {
  const frontends = frontendsOf(change, flows)
  const nodeAddresses = nodePortAddresses(change.node)
  const stale = new Map<string, Map<string, FlowFilter>>()
  const kept: Flow[] = []
  for (const flow of flows) {
    if (!isStale(flow, frontends, nodeAddresses)) {
      kept.push(flow)
      continue
    }
    const answering = place(flow.answeredBy, flow.answeredPort)
    let filters = stale.get(answering)
    if (filters === undefined) {
      filters = new Map()
      stale.set(answering, filters)
    }
    filters.set(place(flow.destination, flow.port), flow)
  }
  if (stale.size === 0) return []
  // A command costs a walk of the whole table: one does for an endpoint that has nothing else.
  const answeringKept = new Set(kept.map(({ answeredBy, answeredPort }) => place(answeredBy, answeredPort)))
  return [...stale].flatMap(([answering, filters]) => {
    const [first] = filters.values()
    return first !== undefined && filters.size > 1 && !answeringKept.has(answering)
      ? [{ answeredBy: first.answeredBy, answeredPort: first.answeredPort }]
      : [...filters.values()]
  })
}

function isStale(flow: Flow, { addresses, nodePorts, former }: Frontends, nodeAddresses: ReadonlySet<string>): boolean {
  const { destination, port, answeredBy, answeredPort } = flow
  const answers = ({ ip, port: number }: Endpoint): boolean => ip === answeredBy && number === answeredPort
  const key = place(destination, port)
  let view: ServicePortView | undefined
  if (addresses.has(key)) view = addresses.get(key)
  else if (nodePorts.has(port) && (nodeAddresses.has(destination) || former.get(port)?.endpoints.all.some(answers) === true))
    view = nodePorts.get(port)
  else return false
  const all = view?.endpoints.all ?? []
  // Not translated: right as long as there is nowhere to go.
  if (answeredBy === destination && answeredPort === port) return all.some(({ serving }) => serving)
  return !all.some(endpoint => endpoint.serving && answers(endpoint))
}

/** Only of frontends that flows may go to: few, however many services there are. */
function frontendsOf({ changes, operations }: FamilyChange, flows: readonly Flow[]): Frontends {
  const frontends: Frontends = { addresses: new Map(), nodePorts: new Map(), former: new Map() }
  const destinations = new Set(flows.map(({ destination }) => destination))
  const numbers = new Set(flows.map(({ port }) => port))
  const set = (port: ServicePort, view: ServicePortView | undefined): void => {
    for (const address of [port.clusterIP, ...externalAddresses(port)])
      if (destinations.has(address)) frontends.addresses.set(place(address, port.port), view)
    if (numbers.has(port.nodePort)) frontends.nodePorts.set(port.nodePort, view)
  }
  for (const { address, port } of deletedFrontends(operations)) {
    if (address === undefined) frontends.nodePorts.set(port, undefined)
    else frontends.addresses.set(place(address, port), undefined)
  }
  for (const { before } of changes) {
    if (before?.port.protocol !== 'udp') continue
    set(before.port, undefined)
    if (numbers.has(before.port.nodePort)) frontends.former.set(before.port.nodePort, before)
  }
  // After all of the old ones: a frontend may have gone from one service to another.
  for (const { after } of changes) if (after?.port.protocol === 'udp') set(after.port, after)
  return frontends
}

function nodePortAddresses({ hostAddresses, nodeIP, nftables }: NodeContext): ReadonlySet<string> {
  const { nodePortAddresses: configured } = nftables
  return new Set(configured.all ? [nodeIP, ...hostAddresses.map(({ address }) => address)] : configured.addresses)
}

/** An address and port as a key. */
function place(address: string, port: number): string {
  return `${address} ${port}`
}
