import { cidrContains } from '../address.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import type { IpvsBatch } from './batch.ts'
import type { VirtualServer } from './contents.ts'
import { Counts } from './counts.ts'
import { IpvsFragment } from './fragment.ts'
import type { IpvsNode } from './node.ts'
import type { IpvsPhases } from './operation.ts'
import { changeServer, deleteServer } from './server-delta.ts'
import { addServicePort } from './service-port.ts'

/** What a commit looks at. */
export interface ServersInput {
  readonly ipvs: IpvsNode
  /** Every view, sorted by service. */
  readonly views: Iterable<ServicePortView>
  /** The views that are in the batch. */
  readonly changed: ReadonlySet<ServicePortView | undefined>
}

interface Claim {
  readonly view: ServicePortView
  readonly server: VirtualServer
}

/**
 * Which virtual servers there are. Nearly all have one owner. An external IP that is an address of the node, with a port that is another
 * service's node port, has two: then the last owner in the order of a full render counts, and is found by looking at every service.
 */
export class ServersState {
  readonly #owners = new Counts<'servers'>()
  /** Virtual servers with several owners, as they are. */
  readonly #contested = new Map<string, VirtualServer>()
  /** Virtual servers without owner that stay, as kube-proxy deletes none whose address is in excludeCIDRs. */
  readonly #left = new Map<string, VirtualServer>()

  /** Brings the servers of a batch up to date. */
  settle({ servers }: IpvsBatch, input: ServersInput, phases: IpvsPhases): void {
    const { node } = input.ipvs
    for (const [service, server] of this.#left) {
      if (isExcluded(service, node) || servers.has(service)) continue
      this.#left.delete(service)
      phases.deleteServers.push(deleteServer(service, server, ['node']))
    }
    const outside = new Map<string, number>()
    for (const [service, { had, have }] of servers) {
      const others = this.#owners.move('servers', service, have - had).after - have
      if (others > 0 || had > 1 || have > 1) outside.set(service, others)
    }
    const claims = outside.size === 0 ? undefined : claimsOf(outside, input)
    for (const [service, pair] of servers) {
      const { origins } = pair
      let { before, after } = pair
      const others = outside.get(service)
      if (others !== undefined) {
        const all = claims?.get(service) ?? []
        if (pair.had + others > 1) before = this.#contested.get(service)
        else if (pair.had === 0) before = all.find(({ view }) => !input.changed.has(view))?.server
        after = all.at(-1)?.server
        if (all.length > 1 && after !== undefined) this.#contested.set(service, after)
        else this.#contested.delete(service)
      }
      before ??= this.#left.get(service)
      if (after !== undefined) {
        this.#left.delete(service)
        phases.servers.push(...changeServer(service, before, after, origins))
      } else if (before !== undefined) {
        if (isExcluded(service, node)) this.#left.set(service, before)
        else phases.deleteServers.push(deleteServer(service, before, origins))
      }
    }
  }
}

/** Who wants each of these virtual servers, in the order of a full render. */
function claimsOf(services: ReadonlyMap<string, unknown>, { views, ipvs }: ServersInput): Map<string, Claim[]> {
  const claims = new Map<string, Claim[]>()
  for (const view of views) {
    const fragment = new IpvsFragment()
    addServicePort(view, ipvs, fragment)
    for (const [service, server] of fragment.virtualServers) {
      if (!services.has(service)) continue
      const known = claims.get(service)
      if (known === undefined) claims.set(service, [{ view, server }])
      else known.push({ view, server })
    }
  }
  return claims
}

/** Whether the address of a virtual server (`-t 10.0.0.1:80`) is in excludeCIDRs. */
export function isExcluded(service: string, { ipvs }: NodeContext): boolean {
  if (ipvs.excludeCIDRs.length === 0) return false
  const address = service.slice(service.indexOf(' ') + 1, service.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1')
  return ipvs.excludeCIDRs.some(cidr => cidrContains(cidr, address))
}
