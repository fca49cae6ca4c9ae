import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import { isDNSLabel } from '../names.ts'
import type { Service } from '../snapshot/types.ts'
import { clusterIPOf, externalIPsOf, fault, loadBalancerVIPsOf, sourceRangesOf } from './service-addresses.ts'
import type { Protocol, ServicePort } from './types.ts'

/** Kubernetes' default for ClientIP session affinity: three hours. */
const DEFAULT_AFFINITY_SECONDS = 10_800
/** One day, the API server's limit. */
const MAX_AFFINITY_SECONDS = 86_400
/** Services with this label belong to another proxy: kube-proxy's informer leaves them out (KEP-2447). */
const PROXY_NAME_LABEL = 'service.kubernetes.io/service-proxy-name'

type ServiceSpecPort = NonNullable<Service['spec']['ports']>[number]

const PROTOCOLS: Readonly<Record<string, Protocol>> = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' }

/** kube-proxy's protocol for a Kubernetes one; TCP when absent, undefined when unknown. */
export function protocolOf(protocol: string | null | undefined): Protocol | undefined {
  return Object.hasOwn(PROTOCOLS, protocol ?? 'TCP') ? PROTOCOLS[protocol ?? 'TCP'] : undefined
}

export function isPort(port: unknown): port is number {
  return Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535
}

/** Whether kube-proxy makes no rules for the service at all: headless, ExternalName, or another proxy's. */
export function isSkipped({ metadata, spec }: Service): boolean {
  const { type, clusterIP } = spec
  return type === 'ExternalName' || !clusterIP || clusterIP === 'None' || hasLabel(metadata.labels, PROXY_NAME_LABEL)
}

/** Whether an object has a label, whatever its value. */
export function hasLabel(labels: Readonly<Record<string, string>> | undefined, label: string): boolean {
  return labels ? Object.hasOwn(labels, label) : false
}

/**
 * The service ports of one Service in one family, as kube-proxy's newBaseServiceInfo reads them; empty when the service
 * is skipped or has no cluster IP of the family. What cannot be used is left out and reported: never silently.
 */
export function servicePorts(service: Service, family: Family, report: Report): ServicePort[] {
  if (isSkipped(service)) return []
  const { metadata, spec } = service
  const { name, namespace = 'default' } = metadata
  if (!isDNSLabel(name) || !isDNSLabel(namespace)) {
    report(fault(service, 'metadata', 'the name or namespace is not an RFC 1123 label', 'No rules are made for it: rename it.'))
    return []
  }
  const clusterIP = clusterIPOf(service, family, report)
  if (clusterIP === undefined) return []

  const externalPolicyLocal = spec.externalTrafficPolicy === 'Local' && isExternallyAccessible(service)
  const externalIPs = externalIPsOf(service, family, report)
  const loadBalancerVIPs = loadBalancerVIPsOf(service, family, report)
  const sourceRanges = sourceRangesOf(service, family, report)
  const affinity = spec.sessionAffinity === 'ClientIP' ? affinitySeconds(service) : 0
  const internalPolicyLocal = spec.internalTrafficPolicy === 'Local'
  const needsHealthCheck = spec.type === 'LoadBalancer' && externalPolicyLocal
  const healthCheckNodePort = needsHealthCheck && isPort(spec.healthCheckNodePort) ? spec.healthCheckNodePort : 0

  const ports: ServicePort[] = []
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const wrong = wrongWith(port, ports)
    if (wrong !== undefined) {
      report(fault(service, `spec.ports[${index}]`, wrong, 'No rules are made for this port: correct it.'))
      continue
    }
    ports.push({
      namespace,
      name,
      portName: port.name ?? '',
      protocol: protocolOf(port.protocol) as Protocol,
      port: port.port,
      clusterIP,
      nodePort: port.nodePort ?? 0,
      externalIPs,
      loadBalancerVIPs,
      sourceRanges,
      affinitySeconds: affinity,
      externalPolicyLocal,
      internalPolicyLocal,
      healthCheckNodePort,
      created: metadata.creationTimestamp ?? '',
    })
  }
  // An exact copy: push has left room for 16 more.
  return ports.slice()
}

/** Why a port gets no rules, given the ports before it; undefined when it does. */
function wrongWith({ name, port, protocol, nodePort }: ServiceSpecPort, before: readonly ServicePort[]): string | undefined {
  const known = protocolOf(protocol)
  const isNamed = (name ?? '') === '' || isDNSLabel(name as string)
  const isNodePort = (nodePort ?? 0) === 0 || isPort(nodePort)
  if (known === undefined || !isPort(port) || !isNamed || !isNodePort) return 'the name, port, nodePort or protocol is not valid'
  const taken = before.some(other => other.protocol === known && (other.port === port || other.portName === (name ?? '')))
  return taken ? 'another port of the service has this name, or this port and protocol' : undefined
}

/** Whether external traffic policy applies (kube-proxy's ExternallyAccessible). */
function isExternallyAccessible({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' || spec.type === 'NodePort' || (spec.externalIPs?.length ?? 0) > 0
}

function affinitySeconds({ spec }: Service): number {
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds
  return Number.isInteger(seconds) && (seconds as number) > 0 ? Math.min(seconds as number, MAX_AFFINITY_SECONDS) : DEFAULT_AFFINITY_SECONDS
}
