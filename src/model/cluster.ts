import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import type { EndpointSlice, Service } from '../snapshot/types.ts'
import { categorize } from './categorize.ts'
import { Claims, serviceKey } from './claims.ts'
import { mergeEndpoints, readSlice, SERVICE_NAME_LABEL, type SliceRecord } from './endpoint-slice.ts'
import { isExcluded, servicePorts } from './service-port.ts'
import type { ServicePort, ServicePortView } from './types.ts'

/**
 * All services and endpoints of a cluster in one family, kept up to date object by object. Each change marks the services whose view it may
 * alter; `takeChanged` hands them over. Nothing here depends on the size of the cluster but the memory.
 */
export class Cluster {
  readonly #family: Family
  readonly #report: Report
  readonly #services = new Map<string, readonly ServicePort[]>()
  /** Slices by service, then by slice name. Slices can be there before their service. */
  readonly #slices = new Map<string, Map<string, SliceRecord>>()
  readonly #serviceOfSlice = new Map<string, string>()
  readonly #claims = new Claims()
  readonly #changed = new Set<string>()

  constructor(family: Family, report: Report) {
    this.#family = family
    this.#report = report
  }

  setService(service: Service): void {
    const ports = servicePorts(service, this.#family, this.#report)
    const key = `${service.metadata.namespace ?? 'default'}/${service.metadata.name}`
    this.#dropPorts(key)
    if (ports.length === 0) return
    this.#services.set(key, ports)
    for (const port of ports) this.#claims.add(port, this.#markChanged)
    this.#changed.add(key)
  }

  deleteService(namespace: string, name: string): void {
    this.#dropPorts(serviceKey({ namespace, name }))
  }

  #dropPorts(key: string): void {
    const ports = this.#services.get(key)
    if (ports === undefined) return
    for (const port of ports) this.#claims.remove(port, this.#markChanged)
    this.#services.delete(key)
    this.#changed.add(key)
  }

  readonly #markChanged = (port: ServicePort): void => {
    this.#changed.add(serviceKey(port))
  }

  setSlice(slice: EndpointSlice): void {
    const { name, namespace = 'default', labels } = slice.metadata
    const service = labels?.[SERVICE_NAME_LABEL]
    const record = readSlice(slice, this.#family, this.#report)
    if (service === undefined || service === '' || isExcluded(labels) || record === undefined) {
      this.deleteSlice(namespace, name)
      return
    }
    const key = serviceKey({ namespace, name: service })
    const sliceKey = `${namespace}/${name}`
    if (this.#serviceOfSlice.get(sliceKey) !== key) this.deleteSlice(namespace, name)
    const slices = this.#slices.get(key)
    if (slices === undefined) this.#slices.set(key, new Map([[name, record]]))
    else slices.set(name, record)
    this.#serviceOfSlice.set(sliceKey, key)
    this.#changed.add(key)
  }

  deleteSlice(namespace: string, name: string): void {
    const key = this.#serviceOfSlice.get(`${namespace}/${name}`)
    if (key === undefined) return
    this.#serviceOfSlice.delete(`${namespace}/${name}`)
    const slices = this.#slices.get(key)
    slices?.delete(name)
    if (slices?.size === 0) this.#slices.delete(key)
    this.#changed.add(key)
  }

  /** Keys (`namespace/name`) of all services that have ports in this family, sorted. */
  keys(): string[] {
    return [...this.#services.keys()].sort()
  }

  /** Keys of the services whose views may differ from the last call; each is handed over once. */
  takeChanged(): string[] {
    const keys = [...this.#changed]
    this.#changed.clear()
    return keys
  }

  /** The views of one service on a node, one per port; empty when the service is not there. */
  views(key: string, node: { readonly nodeName: string; readonly zone: string }): ServicePortView[] {
    const slices = this.#slices.get(key)
    return (this.#services.get(key) ?? []).map(claimed => {
      const port = this.#claims.resolve(claimed, this.#report)
      const endpoints = slices === undefined ? [] : mergeEndpoints(slices.values(), port, node.nodeName)
      return { port, endpoints: categorize(endpoints, port, node) }
    })
  }
}
