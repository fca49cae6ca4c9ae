import { endpointName } from '../model/endpoint-slice.ts'
import type { Endpoint, Protocol, ServicePortView } from '../model/types.ts'
import type { Options } from './contents.ts'
import type { IpvsFragment } from './fragment.ts'
import type { IpvsNode } from './node.ts'
import type { SetName } from './sets.ts'

/** How ipvsadm names the protocol of a service. */
const SERVICE_OPTION: Readonly<Record<Protocol, string>> = { tcp: '-t', udp: '-u', sctp: '--sctp-service' }

const NODE_PORT_SETS: Readonly<Record<Protocol, { readonly all: SetName; readonly local: SetName }>> = {
  tcp: { all: 'KUBE-NODE-PORT-TCP', local: 'KUBE-NODE-PORT-LOCAL-TCP' },
  udp: { all: 'KUBE-NODE-PORT-UDP', local: 'KUBE-NODE-PORT-LOCAL-UDP' },
  sctp: { all: 'KUBE-NODE-PORT-SCTP-HASH', local: 'KUBE-NODE-PORT-LOCAL-SCTP-HASH' },
}

/** kube-proxy forwards by masquerading and gives every destination the same weight. */
const DESTINATION: Options = ['-m', '-w 1']

/** Adds what one service port has on the node: its virtual servers, and its part in sets, addresses and rules. */
export function addServicePort(view: ServicePortView, ipvs: IpvsNode, fragment: IpvsFragment): void {
  const { port, endpoints } = view
  const { protocol } = port
  const { node, ownAddresses } = ipvs
  // In any state: an endpoint that is not ready may still have connections to itself.
  for (const { ip, port: number, isLocal } of endpoints.all)
    if (isLocal) fragment.entry('KUBE-LOOP-BACK', `${ip},${protocol}:${number},${ip}`)

  const options = serviceOptions(node.ipvs.scheduler, port.affinitySeconds)
  // Without a local endpoint, policy Local falls back to all of them, for the sake of pods on the node (kubernetes/kubernetes#97081).
  const cluster = destinations(endpoints.cluster)
  const local = endpoints.local.length > 0 ? destinations(endpoints.local) : cluster
  const external = port.externalPolicyLocal ? local : cluster

  if (port.clusterIP !== '') {
    fragment.entry('KUBE-CLUSTER-IP', `${port.clusterIP},${protocol}:${port.port}`)
    fragment.virtualServer(serviceName(protocol, port.clusterIP, port.port), options, port.internalPolicyLocal ? local : cluster)
    fragment.address(port.clusterIP)
  }
  for (const address of port.externalIPs) {
    fragment.entry(port.externalPolicyLocal ? 'KUBE-EXTERNAL-IP-LOCAL' : 'KUBE-EXTERNAL-IP', `${address},${protocol}:${port.port}`)
    fragment.virtualServer(serviceName(protocol, address, port.port), options, external)
    if (!ownAddresses.has(address)) fragment.address(address)
  }
  for (const address of port.loadBalancerVIPs) {
    const entry = `${address},${protocol}:${port.port}`
    fragment.entry('KUBE-LOAD-BALANCER', entry)
    if (port.externalPolicyLocal) fragment.entry('KUBE-LOAD-BALANCER-LOCAL', entry)
    if (port.sourceRanges.length > 0) addSourceRanges(view, address, fragment)
    fragment.virtualServer(serviceName(protocol, address, port.port), options, external)
    if (!ownAddresses.has(address)) fragment.address(address)
  }
  if (port.nodePort !== 0) {
    // kube-proxy leaves out the health check port too when no address accepts node ports.
    if (ipvs.nodePortIPs.length === 0) return
    addNodePort(view, ipvs, fragment)
    for (const address of ipvs.nodePortIPs) fragment.virtualServer(serviceName(protocol, address, port.nodePort), options, external)
  }
  if (port.healthCheckNodePort !== 0) fragment.entry('KUBE-HEALTH-CHECK-NODE-PORT', String(port.healthCheckNodePort))
}

/**
 * A load-balancer address answers only to its source ranges, and never to the node itself. kube-proxy's source would let the node in where a range
 * covers its address (an entry of KUBE-LOAD-BALANCER-SOURCE-IP in place of the rule); the recorded runs of 1.36.2 never do, and they count here.
 */
function addSourceRanges({ port }: ServicePortView, address: string, fragment: IpvsFragment): void {
  const entry = `${address},${port.protocol}:${port.port}`
  fragment.entry('KUBE-LOAD-BALANCER-FW', entry)
  for (const range of port.sourceRanges) fragment.entry('KUBE-LOAD-BALANCER-SOURCE-CIDR', `${entry},${range}`)
  fragment.outFilterRule(`-s ${address} -m ipvs --vaddr ${address} --vproto ${port.protocol} --vport ${port.port} -j DROP`)
}

/** There is no bitmap for SCTP ports in kube-proxy: its sets hold each address with the port. */
function addNodePort({ port }: ServicePortView, { nodePortIPs }: IpvsNode, fragment: IpvsFragment): void {
  const sets = NODE_PORT_SETS[port.protocol]
  const entries = port.protocol === 'sctp' ? nodePortIPs.map(address => `${address},sctp:${port.nodePort}`) : [String(port.nodePort)]
  for (const entry of entries) {
    fragment.entry(sets.all, entry)
    if (port.externalPolicyLocal) fragment.entry(sets.local, entry)
  }
}

function serviceName(protocol: Protocol, ip: string, port: number): string {
  return `${SERVICE_OPTION[protocol]} ${endpointName({ ip, port })}`
}

/** As `ipvsadm -S` prints them. Scheduler mh needs a flag to take the source port into account, which kube-proxy sets (mh-port). */
function serviceOptions(scheduler: string, affinitySeconds: number): Options {
  const options = [`-s ${scheduler}`]
  if (affinitySeconds > 0) options.push(`-p ${affinitySeconds}`)
  if (scheduler === 'mh') options.push('-b mh-port')
  return options
}

function destinations(endpoints: readonly Endpoint[]): ReadonlyMap<string, Options> {
  return new Map(endpoints.map(endpoint => [endpointName(endpoint), DESTINATION]))
}
