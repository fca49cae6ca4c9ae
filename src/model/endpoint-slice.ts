import { type Family, parseAddress } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import type { EndpointSlice } from '../snapshot/types.ts'
import { isPort, protocolOf } from './service-port.ts'
import type { Endpoint, Protocol, ServicePort } from './types.ts'

/** What is kept of an EndpointSlice: small, since all slices of a cluster stay in memory. */
export interface SliceRecord {
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: Protocol }[]
  readonly endpoints: readonly SliceEndpoint[]
}

type SliceEndpoint = Omit<Endpoint, 'port' | 'isLocal'> & { readonly nodeName: string }

/** The label that names the service of a slice. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name'

/**
 * Reads a slice for one family, as kube-proxy's EndpointSliceCache does: only the first address of an endpoint counts,
 * ports without name or number are left out, a missing `ready` or `serving` means true, a missing `terminating` false.
 * Undefined when the slice has another family's addresses, or host names.
 */
export function readSlice(slice: EndpointSlice, family: Family, report: Report): SliceRecord | undefined {
  if (slice.addressType !== (family === 'ipv4' ? 'IPv4' : 'IPv6')) return undefined
  const warn = (path: string, summary: string, detail: string): void =>
    report({
      severity: 'warning',
      place: { object: `EndpointSlice ${slice.metadata.namespace ?? 'default'}/${slice.metadata.name}`, path },
      summary,
      detail,
    })

  const ports: SliceRecord['ports'][number][] = []
  for (const [index, { name, port, protocol }] of (slice.ports ?? []).entries()) {
    const known = protocolOf(protocol)
    if (typeof name !== 'string' || !isPort(port) || known === undefined) {
      warn(
        `ports[${index}]`,
        'the port has no usable name, number or protocol',
        'kube-proxy ignores such a port, so nothing is sent to it.',
      )
    } else ports.push({ name, port, protocol: known })
  }
  const endpoints: SliceEndpoint[] = []
  for (const [index, { addresses, conditions, nodeName, hints }] of (slice.endpoints ?? []).entries()) {
    const address = parseAddress(addresses[0] ?? '')
    if (address?.family !== family) {
      warn(
        `endpoints[${index}].addresses[0]`,
        `"${addresses[0] ?? ''}" is not an address of the slice's family`,
        'kube-proxy ignores such an endpoint.',
      )
      continue
    }
    endpoints.push({
      ip: address.text,
      nodeName: nodeName ?? '',
      ready: conditions?.ready ?? true,
      serving: conditions?.serving ?? true,
      terminating: conditions?.terminating ?? false,
      zoneHints: hintNames(hints?.forZones),
      nodeHints: hintNames(hints?.forNodes),
    })
  }
  return { ports, endpoints }
}

function hintNames(hints: readonly { readonly name: string }[] | null | undefined): readonly string[] | undefined {
  return hints !== undefined && hints !== null && hints.length > 0 ? hints.map(hint => hint.name) : undefined
}

/** `ip:port`, or `[ip]:port` for IPv6: how kube-proxy names and sorts endpoints. */
export function endpointName({ ip, port }: { readonly ip: string; readonly port: number }): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}

/**
 * The endpoints of one service port, merged over the slices of its service and sorted by name. An address that stands in several slices
 * counts once, in its most usable state: ready, then serving and terminating, then local before remote.
 */
export function mergeEndpoints(slices: Iterable<SliceRecord>, { portName, protocol }: ServicePort, nodeName: string): Endpoint[] {
  const found = new Map<string, Endpoint>()
  for (const { ports, endpoints } of slices) {
    for (const port of ports) {
      if (port.name !== portName || port.protocol !== protocol) continue
      for (const { ip, ready, serving, terminating, zoneHints, nodeHints, nodeName: host } of endpoints) {
        const endpoint: Endpoint = {
          ip,
          port: port.port,
          isLocal: host !== '' && host === nodeName,
          ready,
          serving,
          terminating,
          zoneHints,
          nodeHints,
        }
        const name = endpointName(endpoint)
        const known = found.get(name)
        if (known === undefined || usability(endpoint) > usability(known)) found.set(name, endpoint)
      }
    }
  }
  if (found.size < 2) return [...found.values()]
  return [...found.keys()].sort().map(name => found.get(name) as Endpoint)
}

function usability({ ready, serving, terminating, isLocal }: Endpoint): number {
  return (ready ? 4 : serving && terminating ? 2 : 0) + (isLocal ? 1 : 0)
}
