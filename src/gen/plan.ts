import type { IPFamily, KubernetesProtocol } from '../snapshot/types.ts'
import type { CompleteOptions } from './options.ts'
import { Deal, mulberry32, pick, shuffledRange } from './random.ts'

/** The API server's default --service-node-port-range. */
export const NODE_PORTS = { first: 30000, last: 32767 } as const

export interface PlannedPort {
  readonly name: string
  readonly port: number
  readonly targetPort: number
  readonly protocol: KubernetesProtocol
  /** 0: none. */
  readonly nodePort: number
}

/** Everything that is decided about one service; the objects are written from it. Numbers count from 0. */
export interface ServicePlan {
  readonly service: number
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'Headless' | 'ExternalName'
  readonly families: readonly IPFamily[]
  readonly ports: readonly PlannedPort[]
  readonly externalLocal: boolean
  readonly internalLocal: boolean
  readonly sessionAffinity: boolean
  readonly sourceRanges: boolean
  /** 0: none. */
  readonly healthCheckNodePort: number
  /** Undefined: none. */
  readonly loadBalancer: number | undefined
  readonly externalIP: number | undefined
  readonly zoneHints: boolean
  /** The pods `firstPod` to `firstPod + pods - 1`; the last one terminates if `terminating`. */
  readonly firstPod: number
  readonly pods: number
  readonly terminating: boolean
}

/** Number of pod addresses that the plans together can use. */
export function podsOf({ services, endpoints }: CompleteOptions): number {
  return services * (endpoints + 1)
}

/**
 * Decides every service, in order. The same options give the same plans, so nobody has to keep them: whoever needs them twice asks twice.
 * A node port of -1 stands for one that the range had no number left for (`capacity.ts` looks for them first).
 */
export function* planServices(options: CompleteOptions): Generator<ServicePlan, void, undefined> {
  const random = mulberry32(options.seed)
  const nodePorts = shuffledRange(random, NODE_PORTS.first, NODE_PORTS.last)
  const deals = dealsFor(options, random)
  let [firstPod, loadBalancers, externalIPs] = [0, 0, 0]
  for (let service = 0; service < options.services; service++) {
    const type = deals.type.next()
    if (type === 'ExternalName') {
      yield { ...EXTERNAL_NAME, service }
      continue
    }
    const loadBalanced = type === 'LoadBalancer'
    const exposed = loadBalanced || type === 'NodePort'
    const hasClusterIP = type !== 'Headless'
    const externalLocal = exposed && deals.externalLocal.next()
    const takesNodePorts = exposed && (!loadBalanced || options.loadBalancerNodePorts)
    const ports = planPorts(random, deals.protocol.next(), deals.multiPort.next()).map(port => ({
      ...port,
      nodePort: takesNodePorts ? (nodePorts.pop() ?? -1) : 0,
    }))
    const terminating = deals.terminating.next()
    const pods = deals.withoutEndpoints.next() ? 0 : options.endpoints + (terminating ? 1 : 0)
    yield {
      service,
      type,
      families: deals.dualStack.next() ? bothFamilies(options.primaryFamily) : [options.primaryFamily],
      ports,
      externalLocal,
      internalLocal: hasClusterIP && deals.internalLocal.next(),
      sessionAffinity: hasClusterIP && deals.sessionAffinity.next(),
      sourceRanges: loadBalanced && deals.sourceRanges.next(),
      healthCheckNodePort: loadBalanced && externalLocal ? (nodePorts.pop() ?? -1) : 0,
      loadBalancer: loadBalanced ? loadBalancers++ : undefined,
      externalIP: hasClusterIP && deals.externalIPs.next() ? externalIPs++ : undefined,
      zoneHints: deals.topologyHints.next(),
      firstPod,
      pods,
      terminating: terminating && pods > 0,
    }
    firstPod += pods
  }
}

export function bothFamilies(primary: IPFamily): readonly IPFamily[] {
  return primary === 'IPv4' ? ['IPv4', 'IPv6'] : ['IPv6', 'IPv4']
}

const EXTERNAL_NAME: Omit<ServicePlan, 'service'> = {
  type: 'ExternalName',
  families: [],
  ports: [],
  externalLocal: false,
  internalLocal: false,
  sessionAffinity: false,
  sourceRanges: false,
  healthCheckNodePort: 0,
  loadBalancer: undefined,
  externalIP: undefined,
  zoneHints: false,
  firstPod: 0,
  pods: 0,
  terminating: false,
}

type PortDraft = Omit<PlannedPort, 'nodePort'>

const TCP_PORTS: readonly PortDraft[] = [
  { name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' },
  { name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' },
  { name: 'grpc', port: 9000, targetPort: 9000, protocol: 'TCP' },
  { name: 'redis', port: 6379, targetPort: 6379, protocol: 'TCP' },
]
const UDP_PORTS: readonly PortDraft[] = [
  { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
  { name: 'statsd', port: 8125, targetPort: 8125, protocol: 'UDP' },
]
const SCTP_PORT: PortDraft = { name: 'diameter', port: 3868, targetPort: 3868, protocol: 'SCTP' }
/** What a service with several ports has besides its first; of other numbers than every first port. */
const MORE_PORTS: readonly PortDraft[] = [
  { name: 'metrics', port: 9090, targetPort: 9090, protocol: 'TCP' },
  { name: 'admin', port: 8081, targetPort: 8081, protocol: 'TCP' },
]

function planPorts(random: () => number, protocol: KubernetesProtocol, several: boolean): readonly PortDraft[] {
  const first =
    protocol === 'TCP'
      ? TCP_PORTS[pick(random, TCP_PORTS.length)]!
      : protocol === 'UDP'
        ? UDP_PORTS[pick(random, UDP_PORTS.length)]!
        : SCTP_PORT
  return several ? [first, ...MORE_PORTS] : [first]
}

/** Who gets what: for each feature a deal among the services that can have it. */
function dealsFor(options: CompleteOptions, random: () => number) {
  const types = counts(options.services, options, ['nodePort', 'loadBalancer', 'headless', 'externalName'])
  const real = options.services - types.externalName
  const withClusterIP = real - types.headless
  const protocols = counts(real, options, ['udp', 'sctp'])
  const share = (name: Exclude<keyof CompleteOptions, 'primaryFamily' | 'loadBalancerNodePorts'>, among: number): Deal<boolean> => {
    const having = Math.round(options[name] * among)
    return new Deal(random, [
      [true, having],
      [false, among - having],
    ])
  }
  return {
    type: new Deal<ServicePlan['type']>(random, [
      ['NodePort', types.nodePort],
      ['LoadBalancer', types.loadBalancer],
      ['Headless', types.headless],
      ['ExternalName', types.externalName],
      ['ClusterIP', types.rest],
    ]),
    protocol: new Deal<KubernetesProtocol>(random, [
      ['UDP', protocols.udp],
      ['SCTP', protocols.sctp],
      ['TCP', protocols.rest],
    ]),
    externalLocal: share('externalLocal', types.nodePort + types.loadBalancer),
    sourceRanges: share('sourceRanges', types.loadBalancer),
    internalLocal: share('internalLocal', withClusterIP),
    sessionAffinity: share('sessionAffinity', withClusterIP),
    externalIPs: share('externalIPs', withClusterIP),
    multiPort: share('multiPort', real),
    dualStack: share('dualStack', real),
    topologyHints: share('topologyHints', real),
    terminating: share('terminating', real),
    withoutEndpoints: share('withoutEndpoints', real),
  }
}

/** Shares that exclude each other as whole numbers; rounding up never takes more than there is. */
function counts<K extends 'nodePort' | 'loadBalancer' | 'headless' | 'externalName' | 'udp' | 'sctp'>(
  among: number,
  options: CompleteOptions,
  names: readonly K[],
): Record<K | 'rest', number> {
  let rest = among
  const result: Record<string, number> = {}
  for (const name of names) {
    const count = Math.min(rest, Math.round(options[name] * among))
    result[name] = count
    rest -= count
  }
  return { ...result, rest } as Record<K | 'rest', number>
}
