import type { IptablesOperation } from '../../src/iptables/index.ts'
import type { IpvsContents, IpvsOperation, Options } from '../../src/ipvs/index.ts'

/** What a node has, with commands that fail as the tools would. */
export class Memory {
  readonly virtualServers = new Map<string, { options: Options; readonly destinations: Map<string, Options> }>()
  readonly sets = new Map<string, { readonly type: string; readonly options: Options; readonly entries: Map<string, Options> }>()
  readonly addresses = new Set<string>()
  readonly chains: Record<'filter' | 'nat', Map<string, string[]>>
  hasInterface = false

  constructor() {
    this.chains = {
      filter: new Map(['INPUT', 'FORWARD', 'OUTPUT'].map(name => [name, []])),
      nat: new Map(['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'].map(name => [name, []])),
    }
  }

  apply(operation: IpvsOperation): void {
    if (operation.verb === 'restore') {
      this.#restore(operation.operation)
      return
    }
    const { verb, object } = operation
    switch (object.kind) {
      case 'interface':
        this.hasInterface = true
        return
      case 'set':
        change(this.sets, verb, object.name, { type: object.type, options: object.options, entries: new Map() })
        return
      case 'entry':
        change(present(this.sets, object.set).entries, verb, object.entry, [])
        return
      case 'address':
        if (!this.hasInterface) throw new Error('there is no interface')
        if (this.addresses.has(object.address) !== (verb === 'delete')) throw new Error(`${verb} ${object.address}`)
        if (verb === 'delete') this.addresses.delete(object.address)
        else this.addresses.add(object.address)
        return
      case 'virtual server':
        if (verb === 'edit') present(this.virtualServers, object.service).options = object.options
        else change(this.virtualServers, verb, object.service, { options: object.options, destinations: new Map() })
        return
      case 'destination':
        change(present(this.virtualServers, object.service).destinations, verb, object.destination, object.options)
    }
  }

  /** What there is, in the form of a full render. */
  contents(): IpvsContents {
    const table = (chains: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, { policy: string; rules: readonly string[] }> =>
      new Map(
        [...chains].map(([name, rules]) => [name, { policy: '-', rules: name === 'KUBE-IPVS-OUT-FILTER' ? [...rules].sort() : rules }]),
      )
    return {
      virtualServers: this.virtualServers,
      sets: this.sets,
      addresses: this.addresses,
      iptables: new Map([
        ['filter', table(this.chains.filter)],
        ['nat', table(this.chains.nat)],
      ]),
    }
  }

  #restore({ verb, table, chain, rules }: IptablesOperation): void {
    const chains = this.chains[table]
    switch (verb) {
      case 'write':
        for (const rule of rules) this.#needsSets(rule)
        chains.set(chain, [...rules])
        return
      case 'append':
        for (const rule of rules) this.#needsSets(rule)
        present(chains, chain).push(...rules)
        return
      case 'remove':
        for (const rule of rules) {
          const index = present(chains, chain).indexOf(rule)
          if (index < 0) throw new Error(`there is no rule ${rule} in ${chain}`)
          present(chains, chain).splice(index, 1)
        }
        return
      case 'delete':
        present(chains, chain)
        chains.delete(chain)
    }
  }

  #needsSets(rule: string): void {
    for (const [, set] of rule.matchAll(/--match-set (\S+)/g)) present(this.sets, set as string)
  }
}

function present<V>(things: ReadonlyMap<string, V>, name: string): V {
  const thing = things.get(name)
  if (thing === undefined) throw new Error(`there is no ${name}`)
  return thing
}

function change<V>(things: Map<string, V>, verb: 'add' | 'edit' | 'delete', name: string, value: V): void {
  if (things.has(name) === (verb === 'add')) throw new Error(`${verb} of ${name}, which is ${verb === 'add' ? '' : 'not '}there`)
  if (verb === 'delete') things.delete(name)
  else things.set(name, value)
}
