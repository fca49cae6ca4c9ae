import type { Options, VirtualServer } from './contents.ts'
import type { SetName } from './sets.ts'

/**
 * What one service port owns, or all of them together. Virtual servers have one owner; set entries, addresses and rules can have several and are
 * counted.
 */
export class IpvsFragment {
  readonly virtualServers = new Map<string, VirtualServer>()
  readonly entries = new Map<SetName, Map<string, number>>()
  /** Addresses on kube-ipvs0; they are the entries of KUBE-IPVS-IPS too. */
  readonly addresses = new Map<string, number>()
  /** Rules of the chain KUBE-IPVS-OUT-FILTER. */
  readonly outFilter = new Map<string, number>()

  virtualServer(service: string, options: Options, destinations: ReadonlyMap<string, Options>): void {
    this.virtualServers.set(service, { options, destinations })
  }

  entry(set: SetName, entry: string): void {
    let entries = this.entries.get(set)
    if (entries === undefined) {
      entries = new Map()
      this.entries.set(set, entries)
    }
    count(entries, entry)
  }

  address(address: string): void {
    count(this.addresses, address)
    this.entry('KUBE-IPVS-IPS', address)
  }

  outFilterRule(rule: string): void {
    count(this.outFilter, rule)
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
