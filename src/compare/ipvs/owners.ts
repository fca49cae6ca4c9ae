import { parseAddress } from '../../address.ts'
import { optionsOf } from '../../iptables/options.ts'
import { ipvsNode } from '../../ipvs/node.ts'
import type { NodeContext, ServicePortView } from '../../model/types.ts'
import { ServiceIndex, type ServiceRef } from '../service-index.ts'

const PROTOCOLS: Readonly<Record<string, string>> = { '-t': 'tcp', '-u': 'udp', '--sctp-service': 'sctp' }

/** Tells which service ports the things of IPVS mode belong to. */
export class IpvsOwners {
  readonly #index: ServiceIndex
  readonly #nodePortIPs: ReadonlySet<string>

  constructor(node: NodeContext, views: Iterable<ServicePortView>) {
    this.#index = new ServiceIndex(views)
    this.#nodePortIPs = new Set(ipvsNode(node).nodePortIPs)
  }

  /** Of a virtual server such as `-t 10.0.0.1:80`. */
  ofServer(service: string): readonly ServiceRef[] {
    const [, option = '', address = '', port = ''] = /^(\S+) \[?([^\]]*)\]?:(\d+)$/.exec(service) ?? []
    return this.#byFrontend(PROTOCOLS[option] ?? '', address, port)
  }

  /** Of an entry of a set: a port, an address, or an address, protocol and port with a source behind them. */
  ofEntry(set: string, entry: string): readonly ServiceRef[] {
    const [address = '', protocol = '', port = ''] = entry.split(/,|(?<=,(?:tcp|udp|sctp)):/)
    if (set.includes('LOOP-BACK')) return this.#index.byEndpoint(protocol, address, port)
    if (port !== '') return this.#byFrontend(protocol, address, port)
    return /^\d+$/.test(address) ? this.#index.byNodePort(set.includes('-UDP') ? 'udp' : 'tcp', address) : this.ofAddress(address)
  }

  ofAddress(address: string): readonly ServiceRef[] {
    return this.#index.byAddress(address)
  }

  /** Chains have no owner in IPVS mode. */
  ofChain(): readonly ServiceRef[] {
    return []
  }

  /** Of a rule that keeps the node from a load-balancer address. */
  ofRule(rule: string): readonly ServiceRef[] {
    const options = optionsOf(rule)
    const value = (option: string): string => options.find(({ name }) => name === option)?.values[0] ?? ''
    const address = parseAddress(value('--vaddr'))?.text
    return address === undefined ? [] : this.#byFrontend(value('--vproto'), address, value('--vport'))
  }

  #byFrontend(protocol: string, address: string, port: string): readonly ServiceRef[] {
    const known = this.#index.byFrontend(protocol, port, address)
    return known.length === 0 && this.#nodePortIPs.has(address) ? this.#index.byNodePort(protocol, port) : known
  }
}
