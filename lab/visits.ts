import type { NodeContext, ServicePortView } from '../src/model/types.ts'
import type { Namespace } from './namespace.ts'
import type { Probe, ProbeResult } from './protocol.ts'

/** A client of the demo: where it is, and its address in each family. */
export interface Client {
  readonly name: string
  readonly namespace: Namespace
  readonly addresses: Readonly<Record<NodeContext['family'], string>>
}

/** Which frontend of a service port is connected to. */
export type Via = 'cluster IP' | 'node port' | 'load balancer'

export interface Visit {
  readonly client: Client
  /** `shop/web` */
  readonly service: string
  readonly portName: string
  readonly via: Via
}

/** Connections of each visit. */
const TIMES = 40
/** Milliseconds; an IPv6 TCP reject takes one second (see `ProbeResult`). */
const TIMEOUT = 1500

/** Makes every visit in every family that the service has and tells what happened, one row each. */
export async function visitAll(
  visits: readonly Visit[],
  rules: readonly { readonly node: NodeContext; readonly views: readonly ServicePortView[] }[],
) {
  const rows = visits.flatMap(visit =>
    rules.flatMap(({ node, views }) => {
      const view = views.find(({ port }) => `${port.namespace}/${port.name}` === visit.service && port.portName === visit.portName)
      const probe = view === undefined ? undefined : probeFor(view, node, visit)
      return probe === undefined ? [] : [visitOnce(visit, probe)]
    }),
  )
  return [['FROM', 'SERVICE', 'CONNECTS TO', '', 'ANSWERED BY', 'SEEN AS'], ...(await Promise.all(rows))]
}

function probeFor({ port }: ServicePortView, node: NodeContext, { client, via }: Visit): Probe | undefined {
  const [address, number] = {
    'cluster IP': [port.clusterIP, port.port] as const,
    'node port': [node.nodeIP, port.nodePort] as const,
    'load balancer': [port.loadBalancerVIPs[0] ?? '', port.port] as const,
  }[via]
  if (address === '' || number === 0 || port.protocol === 'sctp') return undefined
  return { protocol: port.protocol, address, port: number, from: client.addresses[node.family] }
}

async function visitOnce({ client, service, portName, via }: Visit, probe: Probe): Promise<string[]> {
  const results = await client.namespace.call('probe', { probes: Array.from({ length: TIMES }, () => probe), timeout: TIMEOUT })
  const { protocol, address, port } = probe
  const target = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
  return [client.name, `${service}:${portName}`, `${via} ${target}`, protocol, answers(results), sources(results, probe)]
}

/** The endpoints that answered, each once; what else became of connections. */
function answers(results: readonly ProbeResult[]): string {
  const found = [...new Set(results.map(result => (result.outcome === 'answered' ? result.endpoint : result.outcome)))].sort()
  return found.length <= 2 ? found.join(', ') : `${found[0]} and ${found.length - 1} others`
}

function sources(results: readonly ProbeResult[], { from }: Probe): string {
  const found = new Set(results.flatMap(result => (result.outcome === 'answered' ? [result.source] : [])))
  return [...found].map(source => (source === from ? 'itself' : `${source} (masqueraded)`)).join(', ')
}
