import fc from 'fast-check'
import type { Change } from '../../src/delta/change.ts'
import type { EndpointSlice, IPFamily, KubeProxyConfiguration, Node, Service } from '../../src/snapshot/types.ts'

/** Small pools, so that services contend for addresses and ports, share endpoints, and objects come back under their old names. */
const NAMES = ['a', 'b', 'c', 'web-1'] as const
const NAMESPACES = ['shop', 'default'] as const
const PORT_NAMES = ['', 'http', 'dns'] as const
const NODES = ['node-a', 'node-b'] as const
const ZONES = ['zone-1', 'zone-2'] as const
const EXTERNAL: Readonly<Record<IPFamily, readonly string[]>> = {
  IPv4: ['203.0.113.1', '203.0.113.2', '203.0.113.3'],
  IPv6: ['2001:db8:9::1', '2001:db8:9::2'],
}
const RANGES = ['192.0.2.0/24', '192.168.0.0/16', '203.0.113.1/32', '2001:db8:5::/48', '0.0.0.0/0'] as const

const externalAddress = fc.constantFrom(...EXTERNAL.IPv4, ...EXTERNAL.IPv6)
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined, freq: 1 })

function defined<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}

const identity = fc.record({ namespace: fc.constantFrom(...NAMESPACES), name: fc.constantFrom(...NAMES) })

/** The cluster IPs of a service follow from its name, as an allocator would keep them apart. */
function clusterIPs({ namespace, name }: { namespace: string; name: string }): Readonly<Record<IPFamily, string>> {
  const number = NAMESPACES.indexOf(namespace as 'shop') * NAMES.length + NAMES.indexOf(name as 'a') + 10
  return { IPv4: `172.30.0.${number}`, IPv6: `fd00:10:96::${number}` }
}

export const service: fc.Arbitrary<Service> = fc
  .record({
    identity,
    created: fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
    type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer', 'LoadBalancer', 'ExternalName' as const),
    headless: fc.boolean().map(value => value),
    families: fc.constantFrom<readonly IPFamily[]>(['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']),
    ports: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...PORT_NAMES),
        port: fc.constantFrom(53, 80, 443),
        protocol: fc.constantFrom('TCP', 'UDP', 'SCTP' as const),
        nodePort: fc.constantFrom(30_080, 30_081, 30_082),
      }),
      { minLength: 1, maxLength: 3, selector: ({ name }) => name, comparator: 'IsStrictlyEqual' },
    ),
    internalTrafficPolicy: fc.constantFrom('Cluster', 'Local' as const),
    externalTrafficPolicy: fc.constantFrom('Cluster', 'Local' as const),
    affinity: rarely(fc.constantFrom(60, 10_800)),
    externalIPs: rarely(fc.uniqueArray(externalAddress, { maxLength: 2 })),
    ingress: fc.uniqueArray(externalAddress, { maxLength: 2 }),
    ranges: rarely(fc.uniqueArray(fc.constantFrom(...RANGES), { maxLength: 3 })),
  })
  .map(
    ({ identity: { namespace, name }, created, type, headless, families, ports, affinity, externalIPs, ingress, ranges, ...policies }) => {
      const ips = clusterIPs({ namespace, name })
      const isHeadless = headless && type === 'ClusterIP'
      const distinct = ports.filter(
        (port, index) => ports.findIndex(other => other.port === port.port && other.protocol === port.protocol) === index,
      )
      return {
        kind: 'Service',
        metadata: { name, namespace, creationTimestamp: created },
        spec: defined({
          type,
          clusterIP: isHeadless ? 'None' : ips[families[0] as IPFamily],
          clusterIPs: isHeadless ? ['None'] : families.map(family => ips[family]),
          ipFamilies: families,
          ports: distinct.map(({ nodePort, ...port }) => (type === 'NodePort' || type === 'LoadBalancer' ? { ...port, nodePort } : port)),
          ...policies,
          sessionAffinity: affinity === undefined ? 'None' : 'ClientIP',
          sessionAffinityConfig: affinity === undefined ? undefined : { clientIP: { timeoutSeconds: affinity } },
          externalIPs,
          loadBalancerSourceRanges: ranges,
          healthCheckNodePort: type === 'LoadBalancer' && policies.externalTrafficPolicy === 'Local' ? 32_001 : undefined,
        }),
        status: { loadBalancer: type === 'LoadBalancer' ? { ingress: ingress.map(ip => ({ ip })) } : {} },
      } as Service
    },
  )

export const slice: fc.Arbitrary<EndpointSlice> = fc
  .record({
    owner: identity,
    suffix: fc.constantFrom('x', 'y'),
    family: fc.constantFrom<IPFamily>('IPv4', 'IPv4', 'IPv6'),
    ports: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...PORT_NAMES),
        port: fc.constantFrom(8080, 9090),
        protocol: fc.constantFrom('TCP', 'UDP', 'SCTP' as const),
      }),
      {
        minLength: 1,
        maxLength: 3,
        selector: ({ name, protocol }) => `${name} ${protocol}`,
      },
    ),
    endpoints: fc.array(
      fc.record({
        number: fc.integer({ min: 1, max: 6 }),
        state: fc.constantFrom(
          { ready: true },
          { ready: true },
          { ready: true },
          { ready: false, serving: true, terminating: true },
          { ready: false, serving: false, terminating: true },
          { ready: false },
        ),
        nodeName: fc.constantFrom(...NODES),
        zone: rarely(fc.constantFrom(...ZONES)),
      }),
      { maxLength: 5 },
    ),
  })
  .map(({ owner, suffix, family, ports, endpoints }) => ({
    kind: 'EndpointSlice',
    metadata: {
      name: `${owner.name}-${family.toLowerCase()}-${suffix}`,
      namespace: owner.namespace,
      labels: { 'kubernetes.io/service-name': owner.name },
    },
    addressType: family,
    ports,
    endpoints: endpoints.map(({ number, state, nodeName, zone }) => ({
      addresses: [family === 'IPv4' ? `10.1.0.${number}` : `fd00:10::${number}`],
      conditions: state,
      nodeName,
      ...(zone === undefined ? {} : { hints: { forZones: [{ name: zone }] } }),
    })),
  }))

export const node: fc.Arbitrary<Node> = fc
  .record({ zone: rarely(fc.constantFrom(...ZONES)), dual: fc.boolean() })
  .map(({ zone, dual }) => ({
    kind: 'Node',
    metadata: { name: 'node-a', labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone } },
    spec: { podCIDRs: ['10.1.0.0/24', 'fd00:10::/80'] },
    status: {
      addresses: [{ type: 'InternalIP', address: '192.168.0.2' }, ...(dual ? [{ type: 'InternalIP', address: '2001:db8::1' }] : [])],
    },
  }))

export const configuration: fc.Arbitrary<KubeProxyConfiguration> = fc
  .record({
    detector: fc.constantFrom<Partial<KubeProxyConfiguration>>(
      { clusterCIDR: '10.0.0.0/8,fd00:10::/64' },
      { clusterCIDR: '' },
      { detectLocalMode: 'NodeCIDR' },
      { detectLocalMode: 'BridgeInterface', detectLocal: { bridgeInterface: 'cbr0' } },
      { detectLocalMode: 'InterfaceNamePrefix', detectLocal: { interfaceNamePrefix: 'veth' } },
    ),
    nodePortAddresses: fc.constantFrom<readonly string[]>(['primary'], ['0.0.0.0/0', '::/0'], ['192.168.0.0/24', '2001:db8::/64']),
    masqueradeAll: fc.boolean(),
    masqueradeBit: fc.constantFrom(0, 14, 31),
  })
  .map(({ detector, nodePortAddresses, masqueradeAll, masqueradeBit }) => ({
    kind: 'KubeProxyConfiguration',
    ...detector,
    nodePortAddresses,
    nftables: { masqueradeAll, masqueradeBit },
    iptables: { masqueradeAll, masqueradeBit },
  }))

const set = (object: fc.Arbitrary<Service | EndpointSlice | Node>): fc.Arbitrary<Change> =>
  object.map(value => ({ type: 'set', object: value }))

/** One change of a cluster, mostly of services and slices. */
export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: set(service) },
  { weight: 10, arbitrary: set(slice) },
  { weight: 3, arbitrary: identity.map(({ namespace, name }): Change => ({ type: 'delete', kind: 'Service', namespace, name })) },
  {
    weight: 3,
    arbitrary: fc.record({ owner: identity, family: fc.constantFrom('ipv4', 'ipv6'), suffix: fc.constantFrom('x', 'y') }).map(
      ({ owner, family, suffix }): Change => ({
        type: 'delete',
        kind: 'EndpointSlice',
        namespace: owner.namespace,
        name: `${owner.name}-${family}-${suffix}`,
      }),
    ),
  },
  { weight: 1, arbitrary: set(node) },
  { weight: 1, arbitrary: configuration.map((value): Change => ({ type: 'configuration', configuration: value })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Change>(
      { type: 'set', object: { kind: 'ServiceCIDR', metadata: { name: 'extra' }, spec: { cidrs: ['172.31.0.0/24'] } } },
      { type: 'delete', kind: 'ServiceCIDR', name: 'extra' },
    ),
  },
)

/** A node, a configuration and rounds of changes; each round becomes one transaction. */
export const history = fc.record({
  node,
  configuration,
  rounds: fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
})
