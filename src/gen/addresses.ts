import type { IPFamily } from '../snapshot/types.ts'

/**
 * Where the addresses of generated clusters are. Services and pods have private ranges; load balancers and external IPs the ranges that are
 * reserved for benchmarks (RFC 2544, RFC 5180), so that a generated cluster never names an address of someone.
 */
export const SERVICE_CIDR: Readonly<Record<IPFamily, string>> = { IPv4: '10.96.0.0/12', IPv6: 'fd00:10:96::/108' }

/** Usable addresses of the service CIDRs: 20 bits, without the first two (the network, and default/kubernetes) and the last. A prime, so that every stride visits all. */
export const MAX_SERVICES = 2 ** 20 - 3
export const MAX_NODES = 2 ** 15
/** Load-balancer addresses, and external IPs, each. */
export const MAX_EXTERNAL_ADDRESSES = 2 ** 16 - 1

const STRIDE = 618_033

function ipv4(number: number): string {
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
}

/** Two groups of IPv6 for a number of up to 32 bits, without the zeros that RFC 5952 leaves out after `::`. */
function ipv6Tail(number: number): string {
  return number > 0xffff ? `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}` : number.toString(16)
}

/** The cluster IP of the service with this number. Neighbours are far apart, as the API server's random allocator leaves them. */
export function clusterIP(service: number, family: IPFamily): string {
  const offset = 2 + ((service * STRIDE) % MAX_SERVICES)
  return family === 'IPv4' ? ipv4(((10 << 24) | (96 << 16)) + offset) : `fd00:10:96::${ipv6Tail(offset)}`
}

/** Ingress address of a LoadBalancer service; numbers count from 0. */
export function loadBalancerIP(number: number, family: IPFamily): string {
  return family === 'IPv4' ? ipv4(((198 << 24) | (18 << 16)) + number + 1) : `2001:2:0:1::${ipv6Tail(number + 1)}`
}

export function externalIP(number: number, family: IPFamily): string {
  return family === 'IPv4' ? ipv4(((198 << 24) | (19 << 16)) + number + 1) : `2001:2:0:2::${ipv6Tail(number + 1)}`
}

export function nodeIP(node: number, family: IPFamily): string {
  return family === 'IPv4' ? ipv4(((192 << 24) | (168 << 16)) + node + 2) : `fd00:192:168::${ipv6Tail(node + 2)}`
}

/** Pods are dealt to the nodes one each in turn, so each node's range must hold its share. */
export class PodAddresses {
  readonly #nodes: number
  /** Host bits of a node's IPv4 range: 8 (kube-controller-manager's default of /24) unless that is too small. */
  readonly #bits: number

  constructor(nodes: number, pods: number) {
    this.#nodes = nodes
    this.#bits = Math.max(8, Math.ceil(Math.log2(Math.ceil(pods / nodes) + 3)))
  }

  /** Whether the ranges of all nodes fit. */
  get fit(): boolean {
    return this.#nodes * 2 ** this.#bits <= 2 ** 23
  }

  nodeOf(pod: number): number {
    return pod % this.#nodes
  }

  address(pod: number, family: IPFamily): string {
    const host = 2 + Math.floor(pod / this.#nodes)
    const node = this.nodeOf(pod)
    return family === 'IPv4' ? ipv4(this.#base(node) + host) : `fd00:10:128:${(node + 1).toString(16)}::${ipv6Tail(host)}`
  }

  podCIDR(node: number, family: IPFamily): string {
    return family === 'IPv4' ? `${ipv4(this.#base(node))}/${32 - this.#bits}` : `fd00:10:128:${(node + 1).toString(16)}::/64`
  }

  #base(node: number): number {
    return ((10 << 24) | (128 << 16)) + node * 2 ** this.#bits
  }
}
