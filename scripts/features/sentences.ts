/** One row of the table: what a golden case of `golden/basic` shows, in a sentence. */
export interface Feature {
  readonly case: string
  readonly sentence: string
}

export interface Section {
  readonly title: string
  readonly features: readonly Feature[]
}

const section = (title: string, sentences: Readonly<Record<string, string>>): Section => ({
  title,
  features: Object.entries(sentences).map(([name, sentence]) => ({ case: name, sentence })),
})

/** Every case without changes over time, by subject. */
export const SECTIONS: readonly Section[] = [
  section('Cluster IPs', {
    empty: 'No Service at all: what the mode has on every node',
    'clusterip-one-endpoint': 'Cluster IP with one endpoint',
    'clusterip-three-endpoints': 'Cluster IP with three endpoints: one is picked by chance',
    'hundred-endpoints': 'A hundred endpoints',
    'clusterip-no-slice': 'No EndpointSlice: connections are rejected at once',
    'clusterip-all-not-ready': 'No endpoint is ready: connections are rejected at once',
    'multi-port-tcp-udp-sctp': 'Several ports, of TCP, UDP and SCTP',
    'named-target-ports-differ-between-slices': 'A named target port that is another number on some pods',
    'port-name-mismatch': 'Slices have no port of the Service’s port name: as without endpoints',
    'shared-endpoint-two-services': 'Two Services with the same pods: a connection of a pod to itself is masqueraded for both',
    'headless-externalname-fqdn-ignored':
      'Headless and ExternalName Services, and slices of domain names, have no rules; what is here is of a plain Service beside them',
    'no-service-cidr': 'No ServiceCIDR is known: packets to unallocated cluster IPs are not dropped',
  }),
  section('Internal traffic policy', {
    'internal-local': 'Local: only endpoints on this node are used',
    'internal-local-no-local': 'Local, without an endpoint on this node: packets are dropped (IPVS: no destination)',
    'internal-local-external-cluster': 'Internal Local and external Cluster: each way has its own endpoints',
    'both-local': 'Internal and external Local',
  }),
  section('Node ports', {
    'nodeport-cluster': 'Policy Cluster: traffic is masqueraded, since the endpoint may be on another node',
    'nodeport-local-with-local-endpoint': 'Policy Local: the client’s address is kept, and only local endpoints are used',
    'nodeport-local-without-local-endpoint':
      'Policy Local without a local endpoint: packets from outside are dropped (IPVS: endpoints of other nodes are used)',
    'nodeport-no-endpoints': 'No endpoints: connections are rejected',
    'nodeport-all-addresses': 'nodePortAddresses allows every address of the node',
    'nodeport-one-cidr': 'nodePortAddresses allows the addresses in one range',
  }),
  section('External IPs', {
    'external-ip-cluster': 'Policy Cluster',
    'external-ip-local': 'Policy Local: pods and the node itself skip the policy',
    'external-ip-local-no-local':
      'Policy Local without a local endpoint: packets from outside are dropped (IPVS: endpoints of other nodes are used)',
    'external-ip-no-endpoints': 'No endpoints: connections are rejected',
  }),
  section('Load balancers', {
    'loadbalancer-cluster': 'Policy Cluster',
    'loadbalancer-local': 'Policy Local, with a health check node port',
    'loadbalancer-local-no-local-endpoint':
      'Policy Local without a local endpoint: packets from outside are dropped (IPVS: endpoints of other nodes are used)',
    'loadbalancer-no-endpoints': 'No endpoints: connections are rejected',
    'loadbalancer-source-ranges': 'Source ranges: others are dropped before the DNAT',
    'loadbalancer-source-ranges-local': 'Source ranges with policy Local',
    'loadbalancer-source-ranges-everything': 'A source range that covers every address',
    'loadbalancer-source-ranges-other-family': 'Source ranges of the other IP family only: no restriction',
    'loadbalancer-without-nodeports': 'allocateLoadBalancerNodePorts is false',
    'loadbalancer-hostname-only': 'The load balancer has a name and no address: nothing to match',
    'loadbalancer-ipmode-proxy': 'ipMode Proxy: the load balancer sends to node ports, its address is left alone',
  }),
  section('Session affinity', {
    'session-affinity': 'ClientIP: a client stays with its endpoint',
    'session-affinity-local-nodeport': 'ClientIP with a load balancer of policy Local',
    'ipv6-only-session-affinity': 'ClientIP in IPv6',
  }),
  section('States of endpoints', {
    'unknown-readiness-is-ready': 'Without conditions an endpoint counts as ready',
    'publish-not-ready': 'publishNotReadyAddresses: endpoints are used before they are ready',
    'terminating-mixed': 'Terminating endpoints are left out while others are ready',
    'terminating-all-serving': 'All endpoints are terminating: those that still serve are used',
    'terminating-local-only': 'Policy Local, and the only local endpoint is terminating: it is used while it serves',
    'two-slices-same-endpoint': 'An endpoint in two slices counts once',
    'host-network-endpoint': 'An endpoint with the node’s own address',
  }),
  section('Topology', {
    'topology-zone-hints': 'Zone hints: only endpoints for this zone are used',
    'topology-zone-hints-none-here': 'Zone hints, none for this zone: all endpoints are used',
    'topology-zone-hints-missing-on-one': 'An endpoint without hint: hints are ignored',
    'topology-node-hints': 'Node hints: only endpoints for this node are used',
    'topology-node-hints-none-here': 'Node hints, none for this node: zone hints decide',
    'topology-hints-with-local-policy': 'Hints with external policy Local: the policy goes before them',
  }),
  section('Settings of the node', {
    'detect-local-none': 'Local traffic cannot be told: no short-circuit for pods',
    'detect-local-bridge': 'detectLocalMode BridgeInterface',
    'detect-local-interface-prefix': 'detectLocalMode InterfaceNamePrefix',
    'masquerade-all': 'masqueradeAll: all cluster IP traffic is masqueraded',
    'masquerade-bit-5': 'masqueradeBit 5: another packet mark',
  }),
  section('Families and names', {
    'dual-stack': 'Both families; shown is IPv4',
    'long-names': 'Names of the greatest length: chain names hold a hash, and are cut',
    'long-names-ipv6': 'Names of the greatest length in IPv6',
  }),
]

/** Every case that changes over time. */
export const CHANGES: Section = section('Changes', {
  'change-add-remove-service': 'A Service comes, another goes',
  'change-pod-replaced': 'A pod is replaced: it terminates, another one gets ready, it is gone',
  'change-scale-up-down': 'Two endpoints become three, one, none, and two again',
  'change-clusterip-same-name': 'The Service is made anew with another cluster IP',
  'change-nodeport-moves-between-services': 'Two Services swap their node ports',
  'change-affinity-toggle': 'Session affinity on, another timeout, off',
  'change-type-and-policy': 'ClusterIP becomes LoadBalancer, policy Local, with source ranges, ClusterIP again',
})
