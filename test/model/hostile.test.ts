import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Family, parseAddress, parseCIDR } from '../../src/address.ts'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { Cluster } from '../../src/model/cluster.ts'
import { nodeContexts } from '../../src/model/node.ts'
import type { LocalDetector, NodeContext, ServicePortView } from '../../src/model/types.ts'
import type { EndpointSlice, HostFacts, KubeProxyConfiguration, Node, Service, ServiceCIDR } from '../../src/snapshot/types.ts'
import { configuration, node, service, slice, sliceEndpoint, snapshot } from '../support/objects.ts'

/**
 * A program may hand objects to the model that no schema has seen. Whatever their fields hold, what a layout may print is an address, a CIDR,
 * a name or a number: this file writes hostile text into every field, one at a time and all at once, and looks at every printable string.
 */
const HOSTILE = [
  '',
  ' ',
  '\n',
  '"',
  "'",
  '`reboot`',
  '$(reboot)',
  '; flush ruleset',
  '\nflush ruleset\n',
  '} drop',
  '#',
  '\\',
  '@service-ips',
  '-A INPUT -j ACCEPT',
  '--',
  '../../etc/passwd',
  '\u0000',
  '\u001b[2J',
  '\u202e',
  '１０.0.0.1',
  '10.0.0.1\n',
  '10.0.0.1 drop',
  '10.0.0.1;',
  '10.0.0.0/8 accept',
  '10.0.0.0/8\n',
  '::1%"; drop',
  'fe80::1%eth0',
  'a'.repeat(10_000),
  'web"\nadd rule',
  'tcp',
  '__proto__',
  'constructor',
] as const
const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ maxLength: 20 }))

const SERVICE = service({
  created: '2024-01-01T00:00:00Z',
  labels: { app: 'web' },
  type: 'LoadBalancer',
  clusterIPs: ['172.30.0.41', 'fd00:10:96::41'],
  ipFamilies: ['IPv4', 'IPv6'],
  ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }],
  internalTrafficPolicy: 'Cluster',
  externalTrafficPolicy: 'Local',
  sessionAffinity: 'ClientIP',
  externalIPs: ['203.0.113.9', '2001:db8::9'],
  loadBalancerSourceRanges: ['192.0.2.0/24', '2001:db8::/32'],
  ingress: [{ ip: '203.0.113.20', hostname: 'lb.example.com', ipMode: 'VIP' }],
})
const SLICES = (['IPv4', 'IPv6'] as const).map(addressType =>
  slice({
    name: `web-${addressType.toLowerCase()}`,
    addressType,
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [
      sliceEndpoint(addressType === 'IPv4' ? '10.1.0.1' : 'fd00:10::1', { node: 'node-a', zones: ['zone-1'], nodes: ['node-a'] }),
      sliceEndpoint(addressType === 'IPv4' ? '10.1.0.2' : 'fd00:10::2', { node: 'node-b', zones: ['zone-1'], nodes: ['node-a'] }),
    ],
  }),
)
const NODE = node({ zone: 'zone-1', addresses: ['192.168.0.2', '2001:db8::1'], podCIDRs: ['10.1.0.0/24', 'fd00:10::/80'] })
const SERVICE_CIDR: ServiceCIDR = { kind: 'ServiceCIDR', metadata: { name: 'kubernetes' }, spec: { cidrs: ['172.30.0.0/16'] } }
const CONFIGURATIONS = (['ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'] as const).map(detectLocalMode =>
  configuration({
    mode: 'nftables',
    hostnameOverride: 'node-a',
    bindAddress: '0.0.0.0',
    clusterCIDR: '10.0.0.0/8,fd00:10::/64',
    detectLocalMode,
    detectLocal: { bridgeInterface: 'cbr0', interfaceNamePrefix: 'veth', clusterCIDRs: ['10.0.0.0/8'] },
    nodePortAddresses: ['192.168.0.0/16', '2001:db8::/64'],
    nftables: { masqueradeAll: true, masqueradeBit: 14 },
    iptables: { masqueradeAll: true, masqueradeBit: 14, localhostNodePorts: true },
    ipvs: { scheduler: 'rr', excludeCIDRs: ['10.0.0.0/8'], strictARP: true },
  }),
)
const HOST: HostFacts = {
  nodeName: 'node-a',
  families: ['IPv4', 'IPv6'],
  interfaces: [{ name: 'eth0', addresses: ['192.168.0.2/24', '2001:db8::1/64'] }],
  nfacct: ['ct_state_invalid_dropped_pkts'],
}

type Path = readonly (string | number)[]

/** The paths of all strings and numbers in a value. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? [] : [path]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]))
}

/** A copy of a value with another one at a path. */
function replaced<T>(value: T, [key, ...rest]: Path, text: unknown): T {
  if (key === undefined) return text as T
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>
  copy[key] = replaced(copy[key], rest, text)
  return copy as T
}

const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const INTERFACE = /^[A-Za-z0-9_.:-]{1,15}$/
const isAddress = (family: Family, text: string): boolean => {
  const parsed = parseAddress(text)
  return parsed?.family === family && parsed.text === text
}
const isCIDR = (family: Family, text: string): boolean => {
  const parsed = parseCIDR(text)
  return parsed?.family === family && parsed.text === text
}
const isNumber = (value: unknown, max: number): boolean => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max

function expectSafeView(family: Family, { port, endpoints }: ServicePortView): void {
  expect(port.namespace).toMatch(NAME)
  expect(port.name).toMatch(NAME)
  if (port.portName !== '') expect(port.portName).toMatch(NAME)
  expect(['tcp', 'udp', 'sctp']).toContain(port.protocol)
  for (const address of [port.clusterIP, ...port.externalIPs, ...port.loadBalancerVIPs])
    expect(address).toSatisfy(isAddress.bind(null, family))
  for (const cidr of port.sourceRanges) expect(cidr).toSatisfy(isCIDR.bind(null, family))
  for (const number of [port.port, port.nodePort, port.healthCheckNodePort]) expect(isNumber(number, 65535)).toBe(true)
  expect(isNumber(port.affinitySeconds, 86400)).toBe(true)
  for (const endpoint of [...endpoints.cluster, ...endpoints.local, ...endpoints.reachable]) {
    expect(endpoint.ip).toSatisfy(isAddress.bind(null, family))
    expect(isNumber(endpoint.port, 65535)).toBe(true)
  }
}

function isSafeDetector(family: Family, detector: LocalDetector): boolean {
  switch (detector.kind) {
    case 'none':
      return true
    case 'cidr':
      return isCIDR(family, detector.cidr)
    case 'bridge':
      return INTERFACE.test(detector.interfaceName)
    case 'prefix':
      return INTERFACE.test(detector.prefix)
  }
}

function expectSafeContext(context: NodeContext): void {
  const { family, nftables, iptables, ipvs } = context
  expect(context.nodeIP).toSatisfy(isAddress.bind(null, family))
  for (const { interfaceName, address } of context.hostAddresses) {
    expect(address).toSatisfy(isAddress.bind(null, family))
    if (interfaceName !== '') expect(interfaceName).toMatch(INTERFACE)
  }
  expect(isSafeDetector(family, context.localDetector)).toBe(true)
  for (const cidr of [...context.serviceCIDRs, ...ipvs.excludeCIDRs]) expect(cidr).toSatisfy(isCIDR.bind(null, family))
  for (const { masqueradeMark, nodePortAddresses } of [nftables, iptables]) {
    expect(masqueradeMark).toMatch(/^0x[0-9a-f]{8}$/)
    if (!nodePortAddresses.all) for (const address of nodePortAddresses.addresses) expect(address).toSatisfy(isAddress.bind(null, family))
  }
  expect(ipvs.scheduler).toMatch(/^[a-z]{1,15}$/)
}

function expectSafeViews(objects: readonly (Service | EndpointSlice)[]): number {
  let views = 0
  for (const family of ['ipv4', 'ipv6'] as const) {
    const cluster = new Cluster(family, () => {})
    for (const object of objects) {
      if (object.kind === 'Service') cluster.setService(object)
      else cluster.setSlice(object)
    }
    for (const key of cluster.keys()) {
      for (const view of cluster.views(key, { nodeName: 'node-a', zone: 'zone-1' })) {
        expectSafeView(family, view)
        views++
      }
    }
  }
  return views
}

/** Safe contexts, or a refusal. */
function expectSafeContexts(objects: {
  nodes?: Node[]
  serviceCIDRs?: ServiceCIDR[]
  host?: HostFacts
  configuration?: KubeProxyConfiguration
}): number {
  const { nodes = [NODE], serviceCIDRs = [SERVICE_CIDR], host, configuration } = objects
  try {
    const contexts = nodeContexts({
      snapshot: snapshot({ nodes, serviceCIDRs }),
      configuration,
      host,
      nodeName: undefined,
      report: () => {},
    })
    for (const context of contexts) expectSafeContext(context)
    return contexts.length
  } catch (error) {
    expect(error).toBeInstanceOf(DiagnosticsError)
    return 0
  }
}

test('the objects themselves give views and contexts', () => {
  expect(expectSafeViews([SERVICE, ...SLICES])).toBe(2)
  for (const configuration of CONFIGURATIONS) expect(expectSafeContexts({ host: HOST, configuration })).toBe(2)
})

describe('hostile text in one field', () => {
  const fields = (kind: string, value: object): [string, Path][] => leaves(value).map(path => [`${kind} ${path.join('.')}`, path])
  /** The object with hostile text at a path, and where a number is, with hostile numbers too. */
  const variants = <T extends object>(object: T, path: Path): T[] => {
    const present = path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], object)
    const numbers = typeof present === 'number' ? [-1, 0.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY] : []
    return [...HOSTILE, ...numbers].map(value => replaced(object, path, value))
  }

  test.each(fields('Service', SERVICE).filter(([, path]) => path[0] !== 'kind'))('%s', (_name, path) => {
    for (const object of variants(SERVICE, path)) expectSafeViews([object, ...SLICES])
  })

  test.each(fields('EndpointSlice', SLICES[0] as EndpointSlice).filter(([, path]) => path[0] !== 'kind'))('%s', (_name, path) => {
    for (const object of SLICES.flatMap(slice => variants(slice, path))) expectSafeViews([SERVICE, object])
  })

  test.each(fields('Node', NODE))('%s', (_name, path) => {
    for (const object of variants(NODE, path)) {
      for (const configuration of CONFIGURATIONS) expectSafeContexts({ nodes: [object], configuration })
    }
  })

  test.each(fields('ServiceCIDR', SERVICE_CIDR))('%s', (_name, path) => {
    for (const object of variants(SERVICE_CIDR, path)) expectSafeContexts({ serviceCIDRs: [object] })
  })

  test.each(fields('HostFacts', HOST))('%s', (_name, path) => {
    for (const host of variants(HOST, path)) expectSafeContexts({ host })
  })

  test.each(fields('KubeProxyConfiguration', CONFIGURATIONS[0] as KubeProxyConfiguration))('%s', (_name, path) => {
    for (const configuration of CONFIGURATIONS.flatMap(object => variants(object, path))) expectSafeContexts({ host: HOST, configuration })
  })
})

test('hostile text in any fields at once', () => {
  const all = leaves([SERVICE, ...SLICES]).filter(path => path.at(-1) !== 'kind')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...all), hostile), { maxLength: 4 }), changes => {
      let objects: readonly (Service | EndpointSlice)[] = [SERVICE, ...SLICES]
      for (const [path, text] of changes) objects = replaced(objects, path, text)
      expectSafeViews(objects)
    }),
    { numRuns: 500 },
  )
})
