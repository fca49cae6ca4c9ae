import { describe, expect, test } from 'vitest'
import { cidrContains, parseAddress, parseCIDR } from '../../src/address.ts'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { type GenOptions, generateCluster, MIXES } from '../../src/gen/index.ts'
import type { EndpointSlice, Node, Service, ServiceCIDR } from '../../src/snapshot/types.ts'

function generate(options: GenOptions) {
  const objects = [...generateCluster(options)]
  const of = <T>(kind: string) => objects.filter(object => object.kind === kind) as T[]
  return {
    objects,
    nodes: of<Node>('Node'),
    cidrs: of<ServiceCIDR>('ServiceCIDR').flatMap(({ spec }) => spec.cidrs),
    services: of<Service>('Service'),
    slices: of<EndpointSlice>('EndpointSlice'),
  }
}

function slicesOf(service: Service, slices: readonly EndpointSlice[]): EndpointSlice[] {
  const { namespace, name } = service.metadata
  return slices.filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === name)
}

function errors(options: GenOptions): string[] {
  try {
    generateCluster(options)
  } catch (error) {
    if (error instanceof DiagnosticsError) return error.diagnostics.map(({ summary }) => summary)
    throw error
  }
  return []
}

const EVERYTHING: GenOptions = { ...MIXES.everything, services: 1000, endpoints: 4, seed: 7, nodes: 9 }

test('the same options give the same cluster, another seed another one', () => {
  expect(generate(EVERYTHING).objects).toEqual(generate(EVERYTHING).objects)
  expect(generate({ ...EVERYTHING, seed: 8 }).services).not.toEqual(generate(EVERYTHING).services)
})

test('plain: what is asked for and nothing else', () => {
  const { nodes, services, slices, cidrs } = generate({ services: 20, endpoints: 3 })
  expect(nodes).toHaveLength(3)
  expect(cidrs).toEqual(['10.96.0.0/12'])
  expect(services).toHaveLength(20)
  expect(slices).toHaveLength(20)
  for (const service of services) {
    expect(service.spec).toMatchObject({
      type: 'ClusterIP',
      ipFamilies: ['IPv4'],
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
    })
    expect(service.spec.ports).toHaveLength(1)
    expect(service.spec.ports?.[0]?.protocol).toBe('TCP')
    const [slice] = slicesOf(service, slices)
    expect(slice?.endpoints).toHaveLength(3)
    expect(slice?.endpoints?.map(({ conditions }) => conditions)).toEqual(Array(3).fill({ ready: true, serving: true, terminating: false }))
  }
})

test('no address, name or node port is given twice', () => {
  const { objects, services, slices } = generate(EVERYTHING)
  const unique = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length)
  unique(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`))
  unique(objects.map(({ metadata }) => (metadata as { uid?: string }).uid))
  unique(services.flatMap(({ spec }) => spec.clusterIPs ?? []).filter(ip => ip !== 'None'))
  unique(
    services.flatMap(({ spec, status }) => [...(spec.externalIPs ?? []), ...(status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip)]),
  )
  const nodePorts = services
    .flatMap(({ spec }) => [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort])
    .filter(port => port !== undefined)
  unique(nodePorts)
  expect(nodePorts.length).toBeGreaterThan(80)
  expect(Math.min(...nodePorts)).toBeGreaterThanOrEqual(30000)
  expect(Math.max(...nodePorts)).toBeLessThanOrEqual(32767)
  unique(slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses)))
})

test('cluster IPs are in the service CIDRs, pods in the range of their node, all canonical', () => {
  const { nodes, cidrs, services, slices } = generate(EVERYTHING)
  expect(cidrs).toEqual(['10.96.0.0/12', 'fd00:10:96::/108'])
  for (const ip of services.flatMap(({ spec }) => spec.clusterIPs ?? [])) {
    if (ip !== 'None') expect(cidrs.filter(cidr => cidrContains(cidr, ip))).toHaveLength(1)
  }
  const podCIDRs = new Map(nodes.map(({ metadata, spec }) => [metadata.name, spec?.podCIDRs ?? []]))
  for (const cidr of [...podCIDRs.values()].flat()) expect(parseCIDR(cidr)?.text).toBe(cidr)
  for (const { addressType, endpoints } of slices) {
    for (const { addresses, nodeName, zone } of endpoints ?? []) {
      const address = addresses[0] ?? ''
      expect(parseAddress(address)).toEqual({ family: addressType.toLowerCase(), text: address })
      expect(podCIDRs.get(nodeName ?? '')?.filter(cidr => cidrContains(cidr, address))).toHaveLength(1)
      expect(nodes.find(({ metadata }) => metadata.name === nodeName)?.metadata.labels?.['topology.kubernetes.io/zone']).toBe(zone)
    }
  }
  for (const ip of services.flatMap(({ spec, status }) => [
    ...(spec.externalIPs ?? []),
    ...(status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip ?? ''),
  ])) {
    expect(parseAddress(ip)?.text).toBe(ip)
  }
})

test('a pod range of a node grows with the pods', () => {
  const { nodes, slices } = generate({ services: 100, endpoints: 20, nodes: 2 })
  expect(nodes.map(({ spec }) => spec?.podCIDR)).toEqual(['10.128.0.0/21', '10.128.8.0/21'])
  const last = slices.at(-1)?.endpoints?.at(-1)
  expect(last?.addresses).toEqual(['10.128.11.233'])
  expect(last?.nodeName).toBe('worker-2')
})

test('slices have at most 100 endpoints', () => {
  const { slices } = generate({ services: 2, endpoints: 250, dualStack: 1 })
  expect(slices.map(({ addressType, endpoints }) => [addressType, endpoints?.length])).toEqual([
    ['IPv4', 100],
    ['IPv4', 100],
    ['IPv4', 50],
    ['IPv6', 100],
    ['IPv6', 100],
    ['IPv6', 50],
    ['IPv4', 100],
    ['IPv4', 100],
    ['IPv4', 50],
    ['IPv6', 100],
    ['IPv6', 100],
    ['IPv6', 50],
  ])
})

describe('shares are kept exactly', () => {
  const base: GenOptions = { services: 200, endpoints: 2, nodePort: 0.1, loadBalancer: 0.2, headless: 0.1, externalName: 0.05 }
  const count = (options: Partial<GenOptions>, has: (service: Service, slices: readonly EndpointSlice[]) => boolean) => {
    const { services, slices } = generate({ ...base, ...options })
    return services.filter(service => has(service, slicesOf(service, slices))).length
  }
  // 200 services: 20 NodePort, 40 LoadBalancer, 20 headless, 10 ExternalName, 110 ClusterIP; 190 are real, 170 have a cluster IP.
  test.each([
    ['NodePort', 20, {}, ({ spec }) => spec.type === 'NodePort' && (spec.ports ?? []).every(({ nodePort }) => nodePort !== undefined)],
    ['LoadBalancer', 40, {}, ({ spec, status }) => spec.type === 'LoadBalancer' && status?.loadBalancer?.ingress?.length === 1],
    ['headless', 20, {}, ({ spec }) => spec.clusterIP === 'None'],
    ['ExternalName', 10, {}, ({ spec }, slices) => spec.type === 'ExternalName' && spec.clusterIP === undefined && slices.length === 0],
    ['externalLocal', 30, { externalLocal: 0.5 }, ({ spec }) => spec.externalTrafficPolicy === 'Local'],
    ['internalLocal', 17, { internalLocal: 0.1 }, ({ spec }) => spec.internalTrafficPolicy === 'Local'],
    ['externalIPs', 17, { externalIPs: 0.1 }, ({ spec }) => spec.externalIPs?.length === 1],
    ['sessionAffinity', 17, { sessionAffinity: 0.1 }, ({ spec }) => spec.sessionAffinity === 'ClientIP'],
    [
      'sourceRanges',
      10,
      { sourceRanges: 0.25 },
      ({ spec }) => spec.type === 'LoadBalancer' && (spec.loadBalancerSourceRanges?.length ?? 0) > 0,
    ],
    ['udp', 95, { udp: 0.5 }, ({ spec }) => spec.ports?.[0]?.protocol === 'UDP'],
    ['sctp', 19, { sctp: 0.1 }, ({ spec }) => spec.ports?.[0]?.protocol === 'SCTP'],
    ['multiPort', 19, { multiPort: 0.1 }, ({ spec }, slices) => spec.ports?.length === 3 && slices[0]?.ports?.length === 3],
    ['dualStack', 95, { dualStack: 0.5 }, ({ spec }, slices) => spec.ipFamilies?.length === 2 && slices.length === 2],
    [
      'topologyHints',
      95,
      { topologyHints: 0.5 },
      (_, slices) => (slices[0]?.endpoints ?? []).some(({ hints }) => hints?.forZones?.length === 1),
    ],
    [
      'terminating',
      19,
      { terminating: 0.1 },
      (_, slices) => slices[0]?.endpoints?.length === 3 && slices[0].endpoints[2]?.conditions?.terminating === true,
    ],
    ['withoutEndpoints', 19, { withoutEndpoints: 0.1 }, (_, slices) => slices[0]?.endpoints === null],
  ] satisfies [string, number, Partial<GenOptions>, (service: Service, slices: readonly EndpointSlice[]) => boolean][])(
    '%s: %i',
    (_, expected, options, has) => {
      expect(count(options, has)).toBe(expected)
    },
  )
})

test('IPv6 can be the only family or the first', () => {
  expect(generate({ services: 3, endpoints: 1, primaryFamily: 'IPv6' }).services.map(({ spec }) => spec.ipFamilies)).toEqual([
    ['IPv6'],
    ['IPv6'],
    ['IPv6'],
  ])
  const { services, nodes } = generate({ services: 1, endpoints: 1, primaryFamily: 'IPv6', dualStack: 1 })
  expect(services[0]?.spec.ipFamilies).toEqual(['IPv6', 'IPv4'])
  expect(nodes[0]?.spec?.podCIDRs).toEqual(['fd00:10:128:1::/64', '10.128.0.0/24'])
})

test('keys are in the order that kubectl prints them', () => {
  const sorted = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) sorted(item)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const keys = Object.keys(value)
    expect(keys).toEqual(keys.toSorted())
    for (const part of Object.values(value)) sorted(part)
  }
  sorted(generate({ ...EVERYTHING, services: 200 }).objects)
})

describe('refuses', () => {
  test('more NodePort services than there are ports, before the first object', () => {
    expect(errors({ services: 2768, endpoints: 1, nodePort: 1 })).toEqual([])
    expect(errors({ services: 2769, endpoints: 1, nodePort: 1 })).toEqual(['the services need 2769 node ports, and 30000-32767 has 2768'])
  })

  test('load balancers count too, with their health checks, unless they have no node ports', () => {
    expect(errors({ services: 1385, endpoints: 1, loadBalancer: 1, externalLocal: 1 })).toEqual([
      'the services need 2770 node ports, and 30000-32767 has 2768',
    ])
    expect(errors({ services: 5000, endpoints: 1, loadBalancer: 1, loadBalancerNodePorts: false })).toEqual([])
  })

  test('more pods than addresses', () => {
    expect(errors({ services: 1000, endpoints: 9999 })).toEqual(['10000000 pods on 32768 nodes do not fit into 10.128.0.0/9'])
  })

  test('options out of range, all at once', () => {
    expect(
      errors({
        services: -1,
        endpoints: 1.5,
        seed: 2 ** 32,
        nodes: 0,
        zones: 101,
        udp: 0.6,
        sctp: 0.6,
        dualStack: 2,
        headless: Number.NaN,
      }),
    ).toEqual([
      'services is -1',
      'endpoints is 1.5',
      'seed is 4294967296',
      'nodes is 0',
      'zones is 101',
      'headless is NaN',
      'dualStack is 2',
      'udp, sctp are 1.2 together',
    ])
  })
})
