import type { ServicePortChange } from '../delta/explain.ts'
import type { NodeContext, ServicePort, ServicePortView } from '../model/types.ts'
import { externalAddresses } from '../nft/layouts/frontends.ts'
import type { Flow } from './conntrack-flows.ts'

/** Which flows one delete command is for; what is not set matches everything. */
export interface FlowFilter {
  readonly destination?: string
  readonly port?: number
  readonly answeredBy: string
  readonly answeredPort: number
}

/** Endpoints that flows to a frontend may go to, as {@link place}. */
type Serving = ReadonlySet<string>

/** What flows should look like, of the UDP service ports that were looked at. */
interface Wanted {
  /** By address and port: cluster IPs, external IPs, load-balancer addresses. */
  readonly addresses: ReadonlyMap<string, Serving>
  readonly nodePorts: ReadonlyMap<number, Serving>
  /** Endpoints that were behind each node port. */
  readonly former: ReadonlyMap<number, Serving>
}

const NONE: Serving = new Set()

/** Whether there is anything that flows could be stale for: without a UDP service port nothing has to be listed. */
export function concernsUdp(changes: readonly ServicePortChange[]): boolean {
  return changes.some(({ before, after }) => before?.port.protocol === 'udp' || after?.port.protocol === 'udp')
}

/**
 * The filters that match exactly the stale ones of the flows. Stale, as kube-proxy has it (pkg/proxy/conntrack/cleanup.go): a flow to a UDP frontend
 * whose answers do not come from a serving endpoint of its service. Traffic policy, topology and termination do not count: a flow
 * stays where it is as long as the endpoint answers. Beyond kube-proxy, flows are stale too when the service has no serving endpoint left, the
 * frontend is gone, or the endpoint has another port now; and only the node's own addresses have node ports.
 */
export function planConntrack(node: NodeContext, changes: readonly ServicePortChange[], flows: Iterable<Flow>): FlowFilter[] {
  const wanted = wantedFlows(changes)
  const nodeAddresses = nodePortAddresses(node)
  const stale = new Map<string, Map<string, FlowFilter>>()
  const kept = new Set<string>()
  for (const flow of flows) {
    const answering = place(flow.answeredBy, flow.answeredPort)
    if (!isStale(flow, answering, wanted, nodeAddresses)) {
      kept.add(answering)
      continue
    }
    let filters = stale.get(answering)
    if (filters === undefined) {
      filters = new Map()
      stale.set(answering, filters)
    }
    filters.set(place(flow.destination, flow.port), flow)
  }
  return [...stale].flatMap(([answering, filters]) => {
    const [first] = filters.values()
    // A command costs a walk of the whole table: one does for an endpoint that has nothing else.
    if (first !== undefined && filters.size > 1 && !kept.has(answering))
      return [{ answeredBy: first.answeredBy, answeredPort: first.answeredPort }]
    return [...filters.values()]
  })
}

function isStale(flow: Flow, answering: string, { addresses, nodePorts, former }: Wanted, nodeAddresses: ReadonlySet<string>): boolean {
  const destination = place(flow.destination, flow.port)
  let serving = addresses.get(destination)
  if (serving === undefined && (nodeAddresses.has(flow.destination) || former.get(flow.port)?.has(answering) === true))
    serving = nodePorts.get(flow.port)
  if (serving === undefined) return false
  // Not translated: right as long as there is nowhere to go.
  return answering === destination ? serving.size > 0 : !serving.has(answering)
}

function wantedFlows(changes: readonly ServicePortChange[]): Wanted {
  const addresses = new Map<string, Serving>()
  const nodePorts = new Map<number, Serving>()
  const former = new Map<number, Serving>()
  const set = (port: ServicePort, serving: Serving): void => {
    if (port.clusterIP !== '') addresses.set(place(port.clusterIP, port.port), serving)
    for (const address of externalAddresses(port)) addresses.set(place(address, port.port), serving)
    if (port.nodePort !== 0) nodePorts.set(port.nodePort, serving)
  }
  for (const { before } of changes) {
    if (before?.port.protocol !== 'udp') continue
    set(before.port, NONE)
    if (before.port.nodePort !== 0) former.set(before.port.nodePort, places(before))
  }
  // After all of the old ones: a frontend may have gone from one service to another.
  for (const { after } of changes) if (after?.port.protocol === 'udp') set(after.port, places(after, true))
  return { addresses, nodePorts, former }
}

function places({ endpoints }: ServicePortView, onlyServing = false): Serving {
  return new Set(endpoints.all.filter(({ serving }) => serving || !onlyServing).map(({ ip, port }) => place(ip, port)))
}

function nodePortAddresses({ hostAddresses, nodeIP, nftables }: NodeContext): ReadonlySet<string> {
  const { nodePortAddresses: configured } = nftables
  return new Set(configured.all ? [nodeIP, ...hostAddresses.map(({ address }) => address)] : configured.addresses)
}

/** An address and port as a key. */
function place(address: string, port: number): string {
  return `${address} ${port}`
}
