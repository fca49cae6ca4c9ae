import { type Family, parseAddress } from '../address.ts'
import type { Diagnostic, Report } from '../diagnostics.ts'
import type { EndpointSlice } from '../snapshot/types.ts'
import { isPort, protocolOf } from './service-port.ts'
import type { Endpoint, Protocol, ServicePort } from './types.ts'

/** What is kept of an EndpointSlice: small, since all slices of a cluster stay in memory. */
export interface SliceRecord {
  readonly name: string
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: Protocol }[]
  /** Each address once, in the order of `endpointName`. */
  readonly endpoints: readonly SliceEndpoint[]
  /** All endpoints, those of one address side by side in the order of the slice: only where an address is repeated. */
  readonly repeating?: readonly SliceEndpoint[]
}

type SliceEndpoint = Omit<Endpoint, 'port' | 'isLocal'> & { readonly nodeName: string }

/** The label that names the service of a slice. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name'
/** Slices of headless services have this label: kube-proxy's informer leaves them out. */
export const HEADLESS_LABEL = 'service.kubernetes.io/headless'

/**
 * Reads a slice for one family, as kube-proxy's EndpointSliceCache does: only the first address of an endpoint counts,
 * ports without name or number are left out, a missing `ready` or `serving` means true, a missing `terminating` false.
 * Undefined when the slice has another family's addresses, or host names.
 */
export function readSlice(slice: EndpointSlice, family: Family, report: Report): SliceRecord | undefined {
  if (slice.addressType !== (family === 'ipv4' ? 'IPv4' : 'IPv6')) return undefined
  const ports = compact(
    (slice.ports ?? []).map(({ name, port, protocol }, index) => {
      const known = protocolOf(protocol)
      if (typeof name === 'string' && isPort(port) && known !== undefined) return { name, port, protocol: known }
      report(ignored(slice, `ports[${index}]`, 'the port has no usable name, number or protocol'))
      return undefined
    }),
  )
  const endpoints = compact(
    (slice.endpoints ?? []).map(({ addresses, conditions, nodeName, hints }, index) => {
      const address = parseAddress(addresses[0] ?? '')
      if (address?.family === family)
        return {
          ip: address.text,
          nodeName: nodeName ?? '',
          ready: conditions?.ready ?? true,
          serving: conditions?.serving ?? true,
          terminating: conditions?.terminating ?? false,
          zoneHints: hintNames(hints?.forZones),
          nodeHints: hintNames(hints?.forNodes),
        }
      report(ignored(slice, `endpoints[${index}].addresses[0]`, `"${addresses[0] ?? ''}" is not an address of the slice's family`))
      return undefined
    }),
  )
  endpoints.sort(byName)
  const once = eachOnce(endpoints, ({ terminating }) => !terminating)
  const record = { name: slice.metadata.name, ports, endpoints: once }
  return once === endpoints ? record : { ...record, repeating: endpoints }
}

/** The list without holes; itself when it has none. Unlike one that is filled by push, it takes no more memory than its items need. */
function compact<T>(list: (T | undefined)[]): T[] {
  return list.includes(undefined) ? list.filter(item => item !== undefined) : (list as T[])
}

function ignored({ metadata }: EndpointSlice, path: string, summary: string): Diagnostic {
  const object = `EndpointSlice ${metadata.namespace ?? 'default'}/${metadata.name}`
  return { severity: 'warning', place: { object, path }, summary, detail: 'kube-proxy ignores it, so nothing is sent to it.' }
}

function hintNames(hints: readonly { readonly name: string }[] | null | undefined): readonly string[] | undefined {
  return hints && hints.length > 0 ? hints.map(hint => hint.name) : undefined
}

/**
 * Leaves each address once; the same list when none is repeated. Of several endpoints with one address the first counts, unless a later one
 * `replaces` it. In kube-proxy 1.36 that is each that is not terminating: a pod can have the address of another that is still terminating
 * (EndpointSliceCache.addEndpoints).
 */
function eachOnce(endpoints: readonly SliceEndpoint[], replaces: (later: SliceEndpoint) => boolean): readonly SliceEndpoint[] {
  if (endpoints.every(({ ip }, index) => index === 0 || endpoints[index - 1]?.ip !== ip)) return endpoints
  const once: SliceEndpoint[] = []
  for (const endpoint of endpoints) {
    if (once.at(-1)?.ip !== endpoint.ip) once.push(endpoint)
    else if (replaces(endpoint)) once[once.length - 1] = endpoint
  }
  return once
}

/** The order of `endpointName` for endpoints with one port number. */
function byName({ ip: a }: SliceEndpoint, { ip: b }: SliceEndpoint): number {
  if (a === b) return 0
  const end = a.includes(':') ? ']' : ':'
  return a + end < b + end ? -1 : 1
}

/** `ip:port`, or `[ip]:port` for IPv6: how kube-proxy names and sorts endpoints. */
export function endpointName({ ip, port }: { readonly ip: string; readonly port: number }): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}

/**
 * The endpoints of one service port, merged over the slices of its service and sorted by name. An address that stands in several slices
 * counts once, in its most usable state: ready, then serving and terminating, then local before remote, then as in the first slice.
 */
export function mergeEndpoints(slices: readonly SliceRecord[], { portName, protocol }: ServicePort, nodeName: string): readonly Endpoint[] {
  let only: readonly Endpoint[] | undefined
  let lists: (readonly Endpoint[])[] | undefined
  for (const { ports, endpoints } of slices) {
    for (const port of ports) {
      if (port.name !== portName || port.protocol !== protocol) continue
      const list = endpoints.map(endpoint => placed(endpoint, port.port, nodeName))
      if (only === undefined) only = list
      else {
        lists ??= [only]
        lists.push(list)
      }
    }
  }
  return lists === undefined ? (only ?? NO_ENDPOINTS) : mostUsable(lists.flat())
}

/**
 * The same as kube-proxy merged them before 1.36, where it chose otherwise among the endpoints of one address in a slice: the first, unless a
 * later one is local. Undefined when no slice repeats an address.
 */
export function mergeEndpointsBefore136(
  slices: readonly SliceRecord[],
  port: ServicePort,
  nodeName: string,
): readonly Endpoint[] | undefined {
  if (slices.every(({ repeating }) => repeating === undefined)) return undefined
  const chosen = slices.map(({ repeating, ...slice }) =>
    repeating === undefined ? slice : { ...slice, endpoints: eachOnce(repeating, later => isOn(later, nodeName)) },
  )
  return mergeEndpoints(chosen, port, nodeName)
}

const NO_ENDPOINTS: readonly Endpoint[] = []

function placed(endpoint: SliceEndpoint, port: number, nodeName: string): Endpoint {
  const { ip, ready, serving, terminating, zoneHints, nodeHints } = endpoint
  return { ip, port, isLocal: isOn(endpoint, nodeName), ready, serving, terminating, zoneHints, nodeHints }
}

function isOn({ nodeName: host }: SliceEndpoint, nodeName: string): boolean {
  return host !== '' && host === nodeName
}

function mostUsable(endpoints: readonly Endpoint[]): Endpoint[] {
  const found = new Map<string, Endpoint>()
  for (const endpoint of endpoints) {
    const name = endpointName(endpoint)
    const known = found.get(name)
    if (known === undefined || usability(endpoint) > usability(known)) found.set(name, endpoint)
  }
  return [...found.keys()].sort().map(name => found.get(name) as Endpoint)
}

function usability({ ready, serving, terminating, isLocal }: Endpoint): number {
  return (ready ? 4 : serving && terminating ? 2 : 0) + (isLocal ? 1 : 0)
}
