import type { Endpoint, ServicePort } from '../../src/model/types.ts'
import type { EndpointSlice, KubeProxyConfiguration, Node, ObjectMeta, Service, Snapshot } from '../../src/snapshot/types.ts'

type Metadata = Omit<ObjectMeta, 'creationTimestamp'> & { readonly created?: string }
type Ingress = NonNullable<NonNullable<NonNullable<Service['status']>['loadBalancer']>['ingress']>

function metadata({ created, ...rest }: Metadata): ObjectMeta {
  return created === undefined ? rest : { ...rest, creationTimestamp: created }
}

/** The Service shop/web with one port 80/TCP on 172.30.0.41; any field of `spec`, some of the metadata and the ingress addresses may differ. */
export function service({
  name = 'web',
  namespace = 'shop',
  labels,
  created,
  ingress,
  ...spec
}: Partial<Metadata> & Service['spec'] & { readonly ingress?: Ingress } = {}): Service {
  const extra = { ...(labels && { labels }), ...(created !== undefined && { created }) }
  return {
    kind: 'Service',
    metadata: metadata({ name, namespace, ...extra }),
    spec: { type: 'ClusterIP', clusterIP: '172.30.0.41', ports: [{ port: 80, protocol: 'TCP' }], ...spec },
    ...(ingress && { status: { loadBalancer: { ingress } } }),
  }
}

export interface EndpointOptions {
  readonly ready?: boolean
  readonly serving?: boolean
  readonly terminating?: boolean
  readonly node?: string
  readonly zones?: readonly string[]
  readonly nodes?: readonly string[]
}

type SliceEndpoint = NonNullable<EndpointSlice['endpoints']>[number]

const named = (names: readonly string[]) => names.map(name => ({ name }))

/** An endpoint of a slice. */
export function sliceEndpoint(address: string, { node, zones, nodes, ...conditions }: EndpointOptions = {}): SliceEndpoint {
  const hints = { ...(zones && { forZones: named(zones) }), ...(nodes && { forNodes: named(nodes) }) }
  return {
    addresses: [address],
    ...(Object.keys(conditions).length > 0 && { conditions }),
    ...(node !== undefined && { nodeName: node }),
    ...((zones || nodes) && { hints }),
  }
}

/** The slice web-a of shop/web with the nameless port 8080/TCP; endpoints may be addresses alone. */
export function slice({
  name = 'web-a',
  namespace = 'shop',
  of = 'web',
  labels,
  addressType = 'IPv4',
  ports = [{ name: '', port: 8080, protocol: 'TCP' }],
  endpoints = [],
}: {
  readonly name?: string
  readonly namespace?: string
  /** Name of the service. */
  readonly of?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly addressType?: EndpointSlice['addressType']
  readonly ports?: EndpointSlice['ports']
  readonly endpoints?: readonly (string | SliceEndpoint)[]
} = {}): EndpointSlice {
  return {
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': of, ...labels } },
    addressType,
    ...(ports !== undefined && { ports }),
    endpoints: endpoints.map(endpoint => (typeof endpoint === 'string' ? sliceEndpoint(endpoint) : endpoint)),
  }
}

/** The Node node-a with InternalIP 192.168.0.2. */
export function node({
  name = 'node-a',
  zone,
  addresses = ['192.168.0.2'],
  externalAddresses = [],
  podCIDRs,
}: {
  readonly name?: string
  readonly zone?: string
  readonly addresses?: readonly string[]
  readonly externalAddresses?: readonly string[]
  readonly podCIDRs?: readonly string[]
} = {}): Node {
  return {
    kind: 'Node',
    metadata: { name, ...(zone !== undefined && { labels: { 'topology.kubernetes.io/zone': zone } }) },
    ...(podCIDRs && { spec: { podCIDRs } }),
    status: {
      addresses: [
        { type: 'Hostname', address: name },
        ...externalAddresses.map(address => ({ type: 'ExternalIP', address })),
        ...addresses.map(address => ({ type: 'InternalIP', address })),
      ],
    },
  }
}

export function configuration(fields: Omit<KubeProxyConfiguration, 'kind'> = {}): KubeProxyConfiguration {
  return { kind: 'KubeProxyConfiguration', ...fields }
}

export function snapshot(objects: Partial<Snapshot> = {}): Snapshot {
  return { nodes: [node()], serviceCIDRs: [], services: [], endpointSlices: [], ...objects }
}

/** The service port of shop/web as the model has it. */
export function servicePort(fields: Partial<ServicePort> = {}): ServicePort {
  return {
    namespace: 'shop',
    name: 'web',
    portName: '',
    protocol: 'tcp',
    port: 80,
    clusterIP: '172.30.0.41',
    nodePort: 0,
    externalIPs: [],
    loadBalancerVIPs: [],
    sourceRanges: [],
    affinitySeconds: 0,
    externalPolicyLocal: false,
    internalPolicyLocal: false,
    healthCheckNodePort: 0,
    created: '',
    ...fields,
  }
}

/** A ready, remote endpoint 8080 as the model has it. */
export function endpoint(ip: string, fields: Partial<Endpoint> = {}): Endpoint {
  return {
    ip,
    port: 8080,
    isLocal: false,
    ready: true,
    serving: true,
    terminating: false,
    zoneHints: undefined,
    nodeHints: undefined,
    ...fields,
  }
}
