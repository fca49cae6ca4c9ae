import { endpointChainName, servicePortHash } from '../../iptables/chain-names.ts'
import { optionsOf } from '../../iptables/options.ts'
import type { ServicePortView } from '../../model/types.ts'
import { parseServicePortName, type ServiceRef } from '../service-index.ts'

/** Tells which service ports the rules and chains of iptables mode belong to. */
export class IptablesOwners {
  readonly #byChain = new Map<string, ServiceRef>()

  constructor(views: Iterable<ServicePortView>) {
    for (const { port, endpoints } of views) {
      const ref: ServiceRef = { namespace: port.namespace, name: port.name, portName: port.portName }
      const hash = servicePortHash(port)
      for (const kind of ['SVC', 'SVL', 'EXT', 'FW']) this.#byChain.set(`KUBE-${kind}-${hash}`, ref)
      for (const endpoint of endpoints.reachable) this.#byChain.set(endpointChainName(port, endpoint), ref)
    }
  }

  /** Of a chain; one that no service of the snapshot has is told by its rules. */
  ofChain(name: string, rules: readonly string[]): readonly ServiceRef[] {
    const known = this.#byChain.get(name)
    if (known !== undefined) return [known]
    for (const rule of rules) {
      const found = this.ofRule(rule)
      if (found.length > 0) return found
    }
    return []
  }

  /** Of a rule, by kube-proxy's comment or by the chain that it leads to. */
  ofRule(rule: string): readonly ServiceRef[] {
    const options = optionsOf(rule)
    const comment = options.find(({ name }) => name === '--comment')?.values[0] ?? ''
    for (const word of comment.split(' ')) {
      const ref = parseServicePortName(word)
      if (ref !== undefined) return [ref]
    }
    const target = options.find(({ name }) => name === '-j' || name === '-g')?.values[0]
    const ref = this.#byChain.get(target ?? '')
    return ref === undefined ? [] : [ref]
  }
}
