/**
 * Kubernetes objects as far as kube-proxy reads them. Shapes follow the Kubernetes API (core/v1, discovery.k8s.io/v1,
 * networking.k8s.io/v1, kubeproxy.config.k8s.io/v1alpha1); unknown fields are tolerated and ignored.
 * Values of these types have passed the schemas in `schemas/`, so required fields are there and have the right type.
 */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  /** RFC 3339; the age decides which of two services that claim one address keeps it. */
  readonly creationTimestamp?: string | null
}

export type IPFamily = 'IPv4' | 'IPv6'
export type KubernetesProtocol = 'TCP' | 'UDP' | 'SCTP'
export type TrafficPolicy = 'Cluster' | 'Local'

export interface Service {
  readonly kind: 'Service'
  readonly metadata: ObjectMeta
  readonly spec: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName'
    readonly clusterIP?: string
    readonly clusterIPs?: readonly string[]
    readonly ipFamilies?: readonly IPFamily[]
    readonly ports?: readonly {
      readonly name?: string
      readonly port: number
      readonly protocol?: KubernetesProtocol
      readonly nodePort?: number
    }[]
    readonly internalTrafficPolicy?: TrafficPolicy
    readonly externalTrafficPolicy?: TrafficPolicy
    readonly sessionAffinity?: 'None' | 'ClientIP'
    readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number | null } | null } | null
    readonly externalIPs?: readonly string[]
    readonly loadBalancerSourceRanges?: readonly string[]
    readonly healthCheckNodePort?: number
  }
  readonly status?: {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string; readonly ipMode?: 'VIP' | 'Proxy' }[]
    }
  }
}

export interface EndpointSlice {
  readonly kind: 'EndpointSlice'
  readonly metadata: ObjectMeta
  readonly addressType: 'IPv4' | 'IPv6' | 'FQDN'
  readonly ports?:
    | readonly { readonly name?: string | null; readonly port?: number | null; readonly protocol?: KubernetesProtocol | null }[]
    | null
  readonly endpoints?:
    | readonly {
        readonly addresses: readonly string[]
        readonly conditions?: {
          readonly ready?: boolean | null
          readonly serving?: boolean | null
          readonly terminating?: boolean | null
        } | null
        readonly nodeName?: string | null
        readonly zone?: string | null
        readonly hints?: {
          readonly forZones?: readonly { readonly name: string }[] | null
          readonly forNodes?: readonly { readonly name: string }[] | null
        } | null
      }[]
    | null
}

export interface Node {
  readonly kind: 'Node'
  readonly metadata: ObjectMeta
  readonly spec?: { readonly podCIDR?: string; readonly podCIDRs?: readonly string[] }
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] }
}

export interface ServiceCIDR {
  readonly kind: 'ServiceCIDR'
  readonly metadata: ObjectMeta
  readonly spec: { readonly cidrs: readonly string[] }
}

/** A KubeProxyConfiguration with the fields that change rules; absent fields take kube-proxy's defaults (see `model/node.ts`). */
export interface KubeProxyConfiguration {
  readonly kind: 'KubeProxyConfiguration'
  readonly mode?: string
  readonly hostnameOverride?: string
  /** Takes the place of the Node's address in its family; 0.0.0.0 and :: do not. */
  readonly bindAddress?: string
  readonly clusterCIDR?: string
  readonly detectLocalMode?: '' | 'ClusterCIDR' | 'NodeCIDR' | 'BridgeInterface' | 'InterfaceNamePrefix'
  readonly detectLocal?: {
    readonly bridgeInterface?: string
    readonly interfaceNamePrefix?: string
    readonly clusterCIDRs?: readonly string[]
  }
  readonly nodePortAddresses?: readonly string[] | null
  readonly nftables?: { readonly masqueradeAll?: boolean; readonly masqueradeBit?: number | null }
  readonly iptables?: {
    readonly masqueradeAll?: boolean
    readonly masqueradeBit?: number | null
    readonly localhostNodePorts?: boolean | null
  }
  readonly ipvs?: {
    readonly scheduler?: string
    readonly excludeCIDRs?: readonly string[] | null
    readonly strictARP?: boolean
  }
}

/** Facts of the host that no Kubernetes object holds (`--host`, a JSON file). */
export interface HostFacts {
  readonly nodeName: string
  readonly families: readonly IPFamily[]
  /** Addresses in CIDR form, as `ip -o addr` prints them. */
  readonly interfaces: readonly { readonly name: string; readonly addresses: readonly string[] }[]
  /** Names of the nfacct counters that exist on the host (`nfacct list`). */
  readonly nfacct: readonly string[]
}

/** A cluster at one moment. Objects are in input order; a later duplicate of kind, namespace and name has replaced an earlier one. */
export interface Snapshot {
  readonly nodes: readonly Node[]
  readonly serviceCIDRs: readonly ServiceCIDR[]
  readonly services: readonly Service[]
  readonly endpointSlices: readonly EndpointSlice[]
  /** Present when a document of the snapshot itself was a KubeProxyConfiguration or its ConfigMap. */
  readonly configuration?: KubeProxyConfiguration
}
