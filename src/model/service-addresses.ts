import { type Family, parseAddress, parseCIDR } from '../address.ts'
import type { Diagnostic, Report } from '../diagnostics.ts'
import type { IPFamily, Service } from '../snapshot/types.ts'

/** Shared by the many services that have no such addresses. */
const NONE: readonly string[] = []
const NO_FAMILIES: readonly IPFamily[] = []

/**
 * The cluster IP of a family (kube-proxy's GetClusterIPByFamily): `clusterIPs` follows `ipFamilies`; without ipFamilies the single
 * `clusterIP` counts when it is of the family.
 */
export function clusterIPOf(service: Service, family: Family, report: Report): string | undefined {
  const { spec } = service
  const families = spec.ipFamilies ?? NO_FAMILIES
  const wanted: IPFamily = family === 'ipv4' ? 'IPv4' : 'IPv6'
  const index = families.indexOf(wanted)
  if (families.length > 0 && index < 0) return undefined
  const text = families.length > 0 ? spec.clusterIPs?.[index] : spec.clusterIP
  if (text === undefined) {
    const summary = `ipFamilies has ${wanted}, but clusterIPs lacks its address`
    const detail = 'kube-proxy makes no rules for the service in this family. The API server sets clusterIPs: take the Service from there.'
    report({ ...fault(service, `spec.clusterIPs[${index}]`, summary, detail), severity: 'warning' })
    return undefined
  }
  const address = parseAddress(text)
  if (address?.family === family) return address.text
  if (address === undefined || families.length > 0) {
    const path = families.length > 0 ? `spec.clusterIPs[${index}]` : 'spec.clusterIP'
    report(fault(service, path, `"${text}" is not an ${wanted} address`, 'No rules are made for the service in this family: correct it.'))
  }
  return undefined
}

export function externalIPsOf(service: Service, family: Family, report: Report): readonly string[] {
  return addressesOf(service, 'spec.externalIPs', service.spec.externalIPs, family, report)
}

/** Load-balancer ingress addresses that arrive at the node as destination; those of ipMode Proxy do not (KEP-1860). */
export function loadBalancerVIPsOf(service: Service, family: Family, report: Report): readonly string[] {
  const ingress = service.status?.loadBalancer?.ingress
  if (!ingress || ingress.length === 0) return NONE
  const vips = ingress.flatMap(({ ip, ipMode }) => (ip && (ipMode ?? 'VIP') === 'VIP' ? [ip] : []))
  return addressesOf(service, 'status.loadBalancer.ingress', vips, family, report)
}

/** The addresses of a family, in the order of the list and with its repeats: iptables mode writes a rule for each. */
function addressesOf(
  service: Service,
  path: string,
  list: readonly string[] | undefined,
  family: Family,
  report: Report,
): readonly string[] {
  if (!list || list.length === 0) return NONE
  const found: string[] = []
  for (const text of list) {
    const address = parseAddress(text)
    if (address === undefined) report(fault(service, path, `"${text}" is not an IP address`, 'It gets no rules: correct it.'))
    else if (address.family === family) found.push(address.text)
  }
  return found
}

/**
 * The sources that may use the load-balancer addresses, trimmed (the API server lets spaces pass) and with host bits masked. A range of
 * everything lifts the restriction.
 */
export function sourceRangesOf(service: Service, family: Family, report: Report): readonly string[] {
  const list = service.spec.loadBalancerSourceRanges
  if (!list || list.length === 0) return NONE
  const ranges: string[] = []
  for (const [index, text] of list.entries()) {
    const cidr = parseCIDR(text.trim())
    if (cidr === undefined) {
      const detail = 'The firewall of this service lacks it: write ADDRESS/PREFIX, such as 203.0.113.0/24.'
      report(fault(service, `spec.loadBalancerSourceRanges[${index}]`, `"${text}" is not a CIDR`, detail))
    } else if (cidr.family === family) ranges.push(cidr.text)
  }
  return ranges.some(range => range.endsWith('/0')) ? NONE : ranges
}

/** What is wrong with a Service, as an error. */
export function fault({ metadata }: Service, path: string, summary: string, detail: string): Diagnostic {
  return { severity: 'error', place: { object: `Service ${metadata.namespace ?? 'default'}/${metadata.name}`, path }, summary, detail }
}
