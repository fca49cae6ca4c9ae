import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import type { EndpointSlice, Service } from '../snapshot/types.ts'
import { categorize } from './categorize.ts'
import { Claims, serviceKey } from './claims.ts'
import {
  HEADLESS_LABEL,
  mergeEndpoints,
  mergeEndpointsBefore136,
  readSlice,
  SERVICE_NAME_LABEL,
  type SliceRecord,
} from './endpoint-slice.ts'
import { hasLabel, servicePorts } from './service-port.ts'
import type { ServicePort, ServicePortView } from './types.ts'

/** What is known under one service's name. Slices can be there before their service, and after it. */
interface Entry {
  readonly key: string
  ports: readonly ServicePort[]
  /** Sorted by name, so that the order in which they came decides nothing. */
  slices: readonly SliceRecord[]
}

const NOTHING: readonly never[] = []

/**
 * All services and endpoints of a cluster in one family, kept up to date object by object. Each change marks the services whose view it may
 * alter; `takeChanged` hands them over. Nothing here depends on the size of the cluster but the memory.
 */
export class Cluster {
  readonly #family: Family
  readonly #report: Report
  readonly #entries = new Map<string, Entry>()
  /** The entry that holds each slice, by namespace, then by slice name. */
  readonly #holders = new Map<string, Map<string, Entry>>()
  readonly #claims = new Claims()
  readonly #changed = new Set<string>()

  constructor(family: Family, report: Report) {
    this.#family = family
    this.#report = report
  }

  setService(service: Service): void {
    const { name, namespace = 'default' } = service.metadata
    const key = serviceKey({ namespace, name })
    const ports = servicePorts(service, this.#family, this.#report)
    this.#dropPorts(key)
    if (ports.length === 0) return
    this.#entry(key).ports = ports
    for (const port of ports) this.#claims.add(port, this.#markChanged)
    this.#changed.add(key)
  }

  deleteService(namespace: string, name: string): void {
    this.#dropPorts(serviceKey({ namespace, name }))
  }

  setSlice(slice: EndpointSlice): void {
    const { name, namespace = 'default', labels } = slice.metadata
    const service = labels?.[SERVICE_NAME_LABEL]
    const record = service && !hasLabel(labels, HEADLESS_LABEL) ? readSlice(slice, this.#family, this.#report) : undefined
    if (!service || record === undefined) {
      this.deleteSlice(namespace, name)
      return
    }
    const key = serviceKey({ namespace, name: service })
    const holders = this.#holders.get(namespace) ?? new Map<string, Entry>()
    if (holders.size === 0) this.#holders.set(namespace, holders)
    const before = holders.get(name)
    if (before !== undefined && before.key !== key) this.deleteSlice(namespace, name)
    const entry = this.#entry(key)
    entry.slices = withSlice(entry.slices, record)
    holders.set(name, entry)
    this.#changed.add(key)
  }

  deleteSlice(namespace: string, name: string): void {
    const holders = this.#holders.get(namespace)
    const entry = holders?.get(name)
    if (entry === undefined) return
    holders?.delete(name)
    entry.slices = entry.slices.filter(slice => slice.name !== name)
    this.#forgetIfEmpty(entry)
    this.#changed.add(entry.key)
  }

  /** Keys (`namespace/name`) of all services that have ports in this family, sorted. */
  keys(): string[] {
    const keys: string[] = []
    for (const { key, ports } of this.#entries.values()) if (ports.length > 0) keys.push(key)
    return keys.sort()
  }

  /** Keys of the services whose views may differ from the last call; each is handed over once. */
  takeChanged(): string[] {
    const keys = [...this.#changed]
    this.#changed.clear()
    return keys
  }

  /** The views of one service on a node, one per port; empty when the service is not there. */
  views(key: string, node: { readonly nodeName: string; readonly zone: string }): ServicePortView[] {
    const { ports, slices } = this.#entries.get(key) ?? { ports: NOTHING, slices: NOTHING }
    return ports.map(claimed => {
      const port = this.#claims.resolve(claimed, this.#report)
      const view = { port, endpoints: categorize(mergeEndpoints(slices, port, node.nodeName), port, node) }
      const before136 = mergeEndpointsBefore136(slices, port, node.nodeName)
      return before136 === undefined ? view : { ...view, endpointsBefore136: categorize(before136, port, node) }
    })
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry = { key, ports: NOTHING, slices: NOTHING }
    this.#entries.set(key, entry)
    return entry
  }

  #dropPorts(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.ports.length === 0) return
    for (const port of entry.ports) this.#claims.remove(port, this.#markChanged)
    entry.ports = NOTHING
    this.#forgetIfEmpty(entry)
    this.#changed.add(key)
  }

  #forgetIfEmpty({ key, ports, slices }: Entry): void {
    if (ports.length === 0 && slices.length === 0) this.#entries.delete(key)
  }

  readonly #markChanged = (port: ServicePort): void => {
    this.#changed.add(serviceKey(port))
  }
}

function withSlice(slices: readonly SliceRecord[], record: SliceRecord): readonly SliceRecord[] {
  if (slices.length === 0) return [record]
  const others = slices.filter(slice => slice.name !== record.name)
  return [...others, record].sort((a, b) => (a.name < b.name ? -1 : 1))
}
