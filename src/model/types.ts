import type { Family } from '../address.ts'

/**
 * What each service port means on one node and in one IP family, in kube-proxy's own terms. No rule syntax here.
 * Every address is canonical (RFC 5952 for IPv6, no leading zeros for IPv4), every name has passed Kubernetes' own rules:
 * a layout may print any string found in these types, but for node and zone names, hints and times, which are only compared.
 */
export type { Family }
export type Protocol = 'tcp' | 'udp' | 'sctp'

/** One port of one Service in one family (kube-proxy's ServicePort). */
export interface ServicePort {
  readonly namespace: string
  readonly name: string
  /** The port's name, empty for a nameless single port. */
  readonly portName: string
  readonly protocol: Protocol
  readonly port: number
  /** Empty only when another service holds this address and port (see `claims.ts`). */
  readonly clusterIP: string
  /** 0: none. */
  readonly nodePort: number
  /** In the order of the Service; may repeat an address, as may the next. */
  readonly externalIPs: readonly string[]
  /** Load-balancer ingress addresses of ipMode VIP. */
  readonly loadBalancerVIPs: readonly string[]
  /** CIDRs of this family, trimmed, host bits masked, in the order of the Service. Empty: no restriction (also when only the other family has ranges). */
  readonly sourceRanges: readonly string[]
  /** Timeout of ClientIP session affinity in seconds; 0: no affinity. */
  readonly affinitySeconds: number
  readonly externalPolicyLocal: boolean
  readonly internalPolicyLocal: boolean
  /** 0: none. Only LoadBalancer services with external policy Local have one. */
  readonly healthCheckNodePort: number
  /** RFC 3339, empty when unknown. Only compared. */
  readonly created: string
}

/** One address and port behind a service port. */
export interface Endpoint {
  readonly ip: string
  readonly port: number
  readonly isLocal: boolean
  readonly ready: boolean
  readonly serving: boolean
  readonly terminating: boolean
  readonly zoneHints: readonly string[] | undefined
  readonly nodeHints: readonly string[] | undefined
}

/**
 * The usable endpoints of a service port on this node, as kube-proxy's CategorizeEndpoints gives them.
 * Lists are sorted by `ip:port` as strings (`[ip]:port` for IPv6) unless a layout keeps slots (see `delta/slots.ts`).
 */
export interface UsableEndpoints {
  /** For traffic policy Cluster, after topology hints and the fallback to serving, terminating endpoints. */
  readonly cluster: readonly Endpoint[]
  /** For traffic policy Local. */
  readonly local: readonly Endpoint[]
  /** The union of both: every endpoint that this node can send to. */
  readonly reachable: readonly Endpoint[]
  /** Every endpoint, usable or not, in the order of the names: IPVS mode's hairpin set and iptables mode's large-cluster form count them. */
  readonly all: readonly Endpoint[]
  /** Whether any endpoint in the cluster is usable, even when none is from here. */
  readonly any: boolean
}

/** What a layout turns into rules. */
export interface ServicePortView {
  readonly port: ServicePort
  readonly endpoints: UsableEndpoints
  /** What kube-proxy before 1.36 takes for them; only where a slice repeats an address, which it settled otherwise. */
  readonly endpointsBefore136?: UsableEndpoints
}

/** How traffic of pods on this node is recognised (kube-proxy's local detector). */
export type LocalDetector =
  | { readonly kind: 'none' }
  | { readonly kind: 'cidr'; readonly cidr: string }
  | { readonly kind: 'bridge'; readonly interfaceName: string }
  | { readonly kind: 'prefix'; readonly prefix: string }

/** Which of the node's addresses accept node port traffic. `all`: every local one (but for loopback in nftables mode). */
export type NodePortAddresses = { readonly all: true } | { readonly all: false; readonly addresses: readonly string[] }

/** The node in one family: everything besides services and endpoints that decides what the rules are. */
export interface NodeContext {
  readonly nodeName: string
  /** Value of the label topology.kubernetes.io/zone, empty when unset. */
  readonly zone: string
  readonly family: Family
  /** Primary address of the node in this family; `127.0.0.1` or `::1` when it has none, as kube-proxy assumes. */
  readonly nodeIP: string
  /** Every address of this family on the host's interfaces, loopback included, each with its interface (empty when a rule cannot name it). */
  readonly hostAddresses: readonly { readonly interfaceName: string; readonly address: string }[]
  readonly localDetector: LocalDetector
  /** CIDRs of this family from the ServiceCIDR objects, sorted. */
  readonly serviceCIDRs: readonly string[]
  readonly nftables: {
    readonly masqueradeAll: boolean
    /** `0x00004000` */
    readonly masqueradeMark: string
    readonly nodePortAddresses: NodePortAddresses
  }
  readonly iptables: {
    readonly masqueradeAll: boolean
    readonly masqueradeMark: string
    readonly nodePortAddresses: NodePortAddresses
    readonly localhostNodePorts: boolean
    readonly nfacct: ReadonlySet<string>
  }
  readonly ipvs: {
    /** `rr` unless configured. */
    readonly scheduler: string
    readonly excludeCIDRs: readonly string[]
    readonly strictARP: boolean
  }
}
