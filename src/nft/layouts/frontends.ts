import { cidrContains } from '../../address.ts'
import { servicePortName } from '../../model/claims.ts'
import type { NodeContext, ServicePort, ServicePortView } from '../../model/types.ts'
import { fittingComment } from '../quote.ts'
import type { Sink } from './layout.ts'

/** Where packets of a service port go, as verdict texts; undefined: nowhere. */
export interface Verdicts {
  readonly internal: string | undefined
  readonly external: string | undefined
  /** The same for node ports, in layouts whose node ports need chains of their own. */
  readonly nodePort: string | undefined
  readonly firewall: string | undefined
}

/** `tcp . 80`; with an address in front it is the key of a service address. */
export function portKey({ protocol }: ServicePort, number: number): string {
  return `${protocol} . ${number}`
}

/**
 * Addresses that take the external path: external IPs and load-balancer addresses, each once. A service's own cluster IP can be among them and then
 * takes it too, as in kube-proxy, which adds these elements after the cluster IP's.
 */
export function externalAddresses({ externalIPs, loadBalancerVIPs }: ServicePort): readonly string[] {
  if (externalIPs.length === 0 && loadBalancerVIPs.length === 0) return externalIPs
  return [...new Set([...externalIPs, ...loadBalancerVIPs])]
}

/**
 * The sources that may reach the load-balancer addresses. When a range covers the node itself, the addresses are added: some load balancers
 * put their address on the node's interface, and the node's own packets then have it as source (kube-proxy's allowFromNode).
 */
export function allowedSources({ sourceRanges, loadBalancerVIPs }: ServicePort, { nodeIP }: NodeContext): readonly string[] {
  return sourceRanges.some(range => cidrContains(range, nodeIP)) ? [...sourceRanges, ...loadBalancerVIPs] : sourceRanges
}

/** Whether internal or external traffic has an endpoint to go to from this node. */
export function hasInternal({ port, endpoints }: ServicePortView): boolean {
  return (port.internalPolicyLocal ? endpoints.local : endpoints.cluster).length > 0
}

export function hasExternal({ port, endpoints }: ServicePortView): boolean {
  return (port.externalPolicyLocal ? endpoints.local : endpoints.cluster).length > 0
}

/**
 * The elements that dispatch a service port's traffic: its cluster IP, external addresses and node port, each to the verdict that it has,
 * or to reject (no endpoint anywhere) or drop (policy Local without a local endpoint) ahead of any connection.
 */
export function emitFrontends(view: ServicePortView, verdicts: Verdicts, sink: Sink): void {
  const { port, endpoints } = view
  const key = portKey(port, port.port)
  const refuse = (map: string, refused: string): void =>
    sink.element(map, refused, endpoints.any ? 'drop' : 'goto reject-chain', fittingComment(servicePortName(port)))

  const externals = externalAddresses(port)
  const externalReachable = hasExternal(view)
  if (port.clusterIP !== '') {
    const clusterKey = `${port.clusterIP} . ${key}`
    const isExternal = externals.includes(port.clusterIP)
    sink.element('cluster-ips', port.clusterIP)
    if (verdicts.internal !== undefined && !(isExternal && verdicts.external !== undefined))
      sink.element('service-ips', clusterKey, verdicts.internal)
    if (!hasInternal(view) && !(isExternal && !externalReachable)) refuse('no-endpoint-services', clusterKey)
  }
  for (const address of externals) {
    if (verdicts.external !== undefined) sink.element('service-ips', `${address} . ${key}`, verdicts.external)
    if (!externalReachable) refuse('no-endpoint-services', `${address} . ${key}`)
  }
  if (port.nodePort !== 0) {
    if (verdicts.nodePort !== undefined) sink.element('service-nodeports', portKey(port, port.nodePort), verdicts.nodePort)
    if (!externalReachable) refuse('no-endpoint-nodeports', portKey(port, port.nodePort))
  }
  if (verdicts.firewall !== undefined) {
    for (const address of new Set(port.loadBalancerVIPs)) sink.element('firewall-ips', `${address} . ${key}`, verdicts.firewall)
  }
}

/** A local endpoint that is sent its own connection sees its own address as source, so that connection must be masqueraded. */
export function emitHairpins({ port, endpoints }: ServicePortView, sink: Sink): void {
  for (const { ip, port: number, isLocal } of endpoints.reachable) {
    if (isLocal) sink.element('hairpin-connections', `${ip} . ${ip} . ${portKey(port, number)}`)
  }
}
