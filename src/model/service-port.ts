import { type Family, parseAddress, parseCIDR } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import type { IPFamily, Service } from '../snapshot/types.ts'
import { isLabel } from './names.ts'
import type { Protocol, ServicePort } from './types.ts'

/** Kubernetes' default for ClientIP session affinity: three hours. */
const DEFAULT_AFFINITY_SECONDS = 10_800
/** One day, the API server's limit. */
const MAX_AFFINITY_SECONDS = 86_400
/** Objects with these labels are not kube-proxy's business (its informers leave them out). */
const EXCLUDING_LABELS = ['service.kubernetes.io/service-proxy-name', 'service.kubernetes.io/headless']

const PROTOCOLS: Readonly<Record<string, Protocol>> = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' }

/** kube-proxy's protocol for a Kubernetes one; TCP when absent, undefined when unknown. */
export function protocolOf(protocol: string | null | undefined): Protocol | undefined {
  return Object.hasOwn(PROTOCOLS, protocol ?? 'TCP') ? PROTOCOLS[protocol ?? 'TCP'] : undefined
}

export function isPort(port: unknown): port is number {
  return Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535
}

/** Whether kube-proxy's informers never see the object. */
export function isExcluded(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels !== undefined && EXCLUDING_LABELS.some(label => Object.hasOwn(labels, label))
}

/** Whether kube-proxy makes no rules for the service at all: headless, ExternalName, or another proxy's. */
export function isSkipped(service: Service): boolean {
  const { type, clusterIP } = service.spec
  return (
    type === 'ExternalName' || clusterIP === undefined || clusterIP === '' || clusterIP === 'None' || isExcluded(service.metadata.labels)
  )
}

/**
 * The service ports of one Service in one family, as kube-proxy's newBaseServiceInfo reads them; empty when the service
 * is skipped or has no cluster IP of the family. What cannot be used is left out and reported: never silently.
 */
export function servicePorts(service: Service, family: Family, report: Report): ServicePort[] {
  const { metadata, spec } = service
  const namespace = metadata.namespace ?? 'default'
  if (isSkipped(service)) return []
  const place = { object: `Service ${namespace}/${metadata.name}` }
  if (!isLabel(metadata.name) || !isLabel(namespace)) {
    report({
      severity: 'error',
      place,
      summary: 'the name or namespace is not an RFC 1123 label',
      detail: 'No rules are made for it: rename it.',
    })
    return []
  }
  const addresses = (path: string, list: readonly string[]): string[] => {
    const found: string[] = []
    for (const text of list) {
      const address = parseAddress(text)
      if (address === undefined) {
        report({
          severity: 'error',
          place: { ...place, path },
          summary: `"${text}" is not an IP address`,
          detail: 'It gets no rules: correct it.',
        })
      } else if (address.family === family && !found.includes(address.text)) found.push(address.text)
    }
    return found
  }
  const clusterIPText = clusterIPOf(service, family)
  const clusterIP = addresses('spec.clusterIPs', clusterIPText === undefined ? [] : [clusterIPText])[0]
  if (clusterIP === undefined) return []

  const accessible = isExternallyAccessible(service)
  const externalPolicyLocal = accessible && spec.externalTrafficPolicy === 'Local'
  const vips = (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip, ipMode }) =>
    ip !== undefined && ip !== '' && ipMode !== 'Proxy' ? [ip] : [],
  )
  const shared = {
    namespace,
    name: metadata.name,
    clusterIP,
    externalIPs: addresses('spec.externalIPs', spec.externalIPs ?? []),
    loadBalancerVIPs: addresses('status.loadBalancer.ingress', vips),
    sourceRanges: sourceRanges(service, family, place.object, report),
    affinitySeconds: spec.sessionAffinity === 'ClientIP' ? affinitySeconds(service) : 0,
    externalPolicyLocal,
    internalPolicyLocal: spec.internalTrafficPolicy === 'Local',
    healthCheckNodePort:
      spec.type === 'LoadBalancer' && externalPolicyLocal && isPort(spec.healthCheckNodePort) ? spec.healthCheckNodePort : 0,
    created: metadata.creationTimestamp ?? '',
  }
  const ports: ServicePort[] = []
  for (const [index, { name = '', port, protocol, nodePort = 0 }] of (spec.ports ?? []).entries()) {
    const known = protocolOf(protocol)
    if (known === undefined || !isPort(port) || (name !== '' && !isLabel(name)) || (nodePort !== 0 && !isPort(nodePort))) {
      report({
        severity: 'error',
        place: { ...place, path: `spec.ports[${index}]` },
        summary: 'the name, port, nodePort or protocol is not valid',
        detail: 'No rules are made for this port: correct it.',
      })
      continue
    }
    if (ports.some(other => other.protocol === known && (other.port === port || other.portName === name))) {
      report({
        severity: 'error',
        place: { ...place, path: `spec.ports[${index}]` },
        summary: 'another port of the service has this name, or this port and protocol',
        detail: 'No rules are made for this port: rename or remove it.',
      })
      continue
    }
    ports.push({ ...shared, portName: name, protocol: known, port, nodePort })
  }
  return ports
}

/** The cluster IP of a family: `clusterIPs` follows `ipFamilies`; without ipFamilies the single `clusterIP` counts. */
function clusterIPOf({ spec }: Service, family: Family): string | undefined {
  const wanted: IPFamily = family === 'ipv4' ? 'IPv4' : 'IPv6'
  if (spec.ipFamilies === undefined || spec.ipFamilies.length === 0) return spec.clusterIP
  const index = spec.ipFamilies.indexOf(wanted)
  if (index < 0) return undefined
  return spec.clusterIPs?.[index] ?? (index === 0 ? spec.clusterIP : undefined)
}

function isExternallyAccessible({ spec }: Service): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true
  return (spec.externalIPs?.length ?? 0) > 0
}

function affinitySeconds({ spec }: Service): number {
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds
  return Number.isInteger(seconds) && (seconds as number) > 0 ? Math.min(seconds as number, MAX_AFFINITY_SECONDS) : DEFAULT_AFFINITY_SECONDS
}

/** Ranges may have spaces around them (the API server's validation lets them pass) and host bits; a range of everything lifts the restriction. */
function sourceRanges({ spec }: Service, family: Family, object: string, report: Report): string[] {
  const ranges: string[] = []
  for (const [index, text] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    const cidr = parseCIDR(text.trim())
    if (cidr === undefined) {
      report({
        severity: 'error',
        place: { object, path: `spec.loadBalancerSourceRanges[${index}]` },
        summary: `"${text}" is not a CIDR`,
        detail: 'The firewall of this service lacks it: write ADDRESS/PREFIX, such as 203.0.113.0/24.',
      })
    } else if (cidr.family === family) ranges.push(cidr.text)
  }
  return ranges.some(range => range.endsWith('/0')) ? [] : ranges
}
