import type { ServicePortView } from '../../model/types.ts'
import { endpointBase, servicePortBase } from '../../nft/layouts/chain-names.ts'
import { parseServicePortName, ServiceIndex, type ServiceRef } from '../service-index.ts'

/** Names of chains and sets that belong to one service port: a kind, a hash and the path of the port. */
const OF_SERVICE = /^(?:service|local|external|firewall|endpoint|affinity)-([A-Z2-7]{8}-.*)$/
const PATH = /^[A-Z2-7]{8}-([a-z0-9-]+)\/([a-z0-9-]+)\/[a-z]+\/([a-z0-9-]*)(?:__|$)/
const SLOT_MAP = /^(?:local-)?(tcp|udp|sctp)-(?:nodeport-)?endpoints$/

/** Whether a chain or set of this name belongs to one service port, whether or not the snapshot has it. */
export function isOfService(name: string): boolean {
  return OF_SERVICE.test(name)
}

/** Tells which service ports the objects of a table belong to. */
export class NftOwners {
  readonly #index: ServiceIndex
  /** By what stands behind the kind in names of chains and sets. */
  readonly #byBase = new Map<string, ServiceRef>()

  constructor(views: readonly ServicePortView[]) {
    this.#index = new ServiceIndex(views)
    for (const { port, endpoints } of views) {
      const ref: ServiceRef = { namespace: port.namespace, name: port.name, portName: port.portName }
      this.#byBase.set(servicePortBase(port), ref)
      for (const endpoint of endpoints.reachable) this.#byBase.set(endpointBase(port, endpoint), ref)
    }
  }

  /** Of a chain or a set. The name itself tells, unless it had to be cut. */
  ofName(name: string): readonly ServiceRef[] {
    const base = OF_SERVICE.exec(name)?.[1]
    if (base === undefined) return []
    const known = this.#byBase.get(base)
    if (known !== undefined) return [known]
    const [, namespace, service, portName] = PATH.exec(base) ?? []
    return namespace === undefined || service === undefined ? [] : [{ namespace, name: service, portName }]
  }

  /** Of an element, by its key; for frontends that no service has, by its verdict or its comment. */
  ofElement(
    container: string,
    key: string,
    { value = '', comment = '' }: { readonly value?: string; readonly comment?: string },
  ): readonly ServiceRef[] {
    const known = this.#byKey(container, key.split(' . '))
    if (known.length > 0) return known
    const commented = parseServicePortName(comment)
    return commented === undefined ? this.ofName(value.replace(/^(?:goto|jump) /, '')) : [commented]
  }

  #byKey(container: string, parts: readonly string[]): readonly ServiceRef[] {
    const [first = '', second = '', third = '', fourth = ''] = parts
    if (container === 'hairpin-connections') return this.#index.byEndpoint(third, first, fourth)
    const slots = SLOT_MAP.exec(container)?.[1]
    if (slots !== undefined) return parts.length === 3 ? this.#index.byFrontend(slots, second, first) : this.#index.byNodePort(slots, first)
    if (parts.length === 3) return this.#index.byFrontend(second, third, first)
    return parts.length === 2 ? this.#index.byNodePort(first, second) : this.#index.byAddress(first)
  }
}
