import type { ServicePortChange } from '../delta/explain.ts'
import type { Endpoint, NodeContext, ServicePort, ServicePortView } from '../model/types.ts'
import { externalAddresses } from '../nft/layouts/frontends.ts'
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
export function planConntrack(node: NodeContext, changes: readonly ServicePortChange[], flows: readonly Flow[]): FlowFilter[] {
  const frontends = frontendsOf(changes, flows)
  const nodeAddresses = nodePortAddresses(node)
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
function frontendsOf(changes: readonly ServicePortChange[], flows: readonly Flow[]): Frontends {
  const frontends: Frontends = { addresses: new Map(), nodePorts: new Map(), former: new Map() }
  const destinations = new Set(flows.map(({ destination }) => destination))
  const numbers = new Set(flows.map(({ port }) => port))
  const set = (port: ServicePort, view: ServicePortView | undefined): void => {
    for (const address of [port.clusterIP, ...externalAddresses(port)])
      if (destinations.has(address)) frontends.addresses.set(place(address, port.port), view)
    if (numbers.has(port.nodePort)) frontends.nodePorts.set(port.nodePort, view)
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
