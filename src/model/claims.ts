import type { Report } from '../diagnostics.ts'
import type { ServicePort } from './types.ts'

/** `namespace/name:port`, without the colon for a nameless port: kube-proxy's service port name. */
export function servicePortName({ namespace, name, portName }: ServicePort): string {
  return portName === '' ? `${namespace}/${name}` : `${namespace}/${name}:${portName}`
}

/** Key of the Service in maps: `namespace/name`. */
export function serviceKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}

/**
 * Who holds each frontend: an address, protocol and port, or a node port. Two services can claim one (external IPs and load-balancer
 * addresses are free text, snapshots can be taken mid-change); kube-proxy then lets its random walk decide. Here the older service keeps it,
 * then the one that sorts first by namespace, name and port name, so that the same snapshot always gives the same rules.
 */
export class Claims {
  readonly #claimants = new Map<string, ServicePort | ServicePort[]>()
  readonly #contested = new Set<ServicePort>()

  /** Registers a service port's frontends. Calls `affected` with each service port whose own frontends may have changed hands. */
  add(port: ServicePort, affected: (other: ServicePort) => void): void {
    for (const frontend of frontends(port)) {
      const known = this.#claimants.get(frontend)
      if (known === undefined) {
        this.#claimants.set(frontend, port)
        continue
      }
      const all = Array.isArray(known) ? known : [known]
      if (all.includes(port)) continue
      for (const other of all) affected(other)
      const ranked = [...all, port].sort(compareRank)
      this.#claimants.set(frontend, ranked)
      for (const claimant of ranked) this.#contested.add(claimant)
    }
  }

  /** Gives a service port's frontends up. The object must be the one that was added. */
  remove(port: ServicePort, affected: (other: ServicePort) => void): void {
    for (const frontend of frontends(port)) {
      const known = this.#claimants.get(frontend)
      if (known === port) this.#claimants.delete(frontend)
      else if (Array.isArray(known)) {
        const rest = known.filter(claimant => claimant !== port)
        if (rest.length === known.length) continue
        this.#claimants.set(frontend, rest.length === 1 ? (rest[0] as ServicePort) : rest)
        for (const other of rest) affected(other)
      }
    }
    this.#contested.delete(port)
  }

  /** The service port without the frontends that another one holds; the same object when it holds all of its own. */
  resolve(port: ServicePort, report: Report): ServicePort {
    if (!this.#contested.has(port)) return port
    const keeps = (address: string, number: number): boolean => {
      const claimants = this.#claimants.get(frontendKey(address, port, number))
      const holder = Array.isArray(claimants) ? claimants[0] : claimants
      if (holder === port || holder === undefined) return true
      report({
        severity: 'warning',
        place: { object: `Service ${servicePortName(port)}` },
        summary: `${address === '' ? 'node port' : `address ${address}, port`} ${number}/${port.protocol} is also claimed by Service ${servicePortName(holder)}, which keeps it`,
        detail:
          'The older service keeps a frontend, then the one that sorts first by name; kube-proxy leaves this to chance. Change one of the two.',
      })
      return false
    }
    return {
      ...port,
      clusterIP: keeps(port.clusterIP, port.port) ? port.clusterIP : '',
      externalIPs: port.externalIPs.filter(address => keeps(address, port.port)),
      loadBalancerVIPs: port.loadBalancerVIPs.filter(address => keeps(address, port.port)),
      nodePort: port.nodePort !== 0 && keeps('', port.nodePort) ? port.nodePort : 0,
    }
  }
}

function frontendKey(address: string, { protocol }: ServicePort, port: number): string {
  return `${address} ${protocol} ${port}`
}

function frontends(port: ServicePort): string[] {
  const keys = [frontendKey(port.clusterIP, port, port.port)]
  for (const address of port.externalIPs) keys.push(frontendKey(address, port, port.port))
  for (const address of port.loadBalancerVIPs) keys.push(frontendKey(address, port, port.port))
  if (port.nodePort !== 0) keys.push(frontendKey('', port, port.nodePort))
  return keys
}

/** Older first, unknown age counts as youngest; then by namespace, name and port name. */
function compareRank(a: ServicePort, b: ServicePort): number {
  const [bornA, bornB] = [born(a), born(b)]
  if (bornA !== bornB) return bornA < bornB ? -1 : 1
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name) || compareText(a.portName, b.portName)
}

function born({ created }: ServicePort): number {
  const time = Date.parse(created)
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
