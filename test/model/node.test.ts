import { describe, expect, test } from 'vitest'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { type NodeInput, nodeContexts } from '../../src/model/node.ts'
import type { NodeContext } from '../../src/model/types.ts'
import type { HostFacts, KubeProxyConfiguration, ServiceCIDR } from '../../src/snapshot/types.ts'
import { collector, noProblems } from '../support/collector.ts'
import { configuration, node, snapshot } from '../support/objects.ts'

/** Without a word on local traffic every test would have to expect that warning. */
const POD_CIDRS = { clusterCIDR: '10.0.0.0/8,fd00:10::/64' }
const HOST: HostFacts = {
  nodeName: 'node-a',
  families: ['IPv4', 'IPv6'],
  interfaces: [
    { name: 'lo', addresses: ['127.0.0.1/8', '::1/128'] },
    { name: 'eth0', addresses: ['192.168.0.2/24', '2001:db8::1/64'] },
  ],
  nfacct: ['ct_state_invalid_dropped_pkts'],
}
const DUAL = node({ addresses: ['192.168.0.2', '2001:db8::1'], zone: 'zone-1' })

function contexts(input: Partial<NodeInput> & { readonly fields?: Omit<KubeProxyConfiguration, 'kind'> } = {}): NodeContext[] {
  const { fields, ...rest } = input
  return nodeContexts({
    snapshot: snapshot({ nodes: [DUAL] }),
    configuration: configuration({ ...POD_CIDRS, ...fields }),
    host: undefined,
    nodeName: undefined,
    report: noProblems,
    ...rest,
  })
}
const first = (input?: Parameters<typeof contexts>[0]): NodeContext => contexts(input)[0] as NodeContext

test('kube-proxy’s defaults', () => {
  expect(contexts({ host: HOST })).toEqual([
    {
      family: 'ipv4',
      nodeName: 'node-a',
      zone: 'zone-1',
      nodeIP: '192.168.0.2',
      hostAddresses: [
        { interfaceName: 'lo', address: '127.0.0.1' },
        { interfaceName: 'eth0', address: '192.168.0.2' },
      ],
      localDetector: { kind: 'cidr', cidr: '10.0.0.0/8' },
      serviceCIDRs: [],
      nftables: { masqueradeAll: false, masqueradeMark: '0x00004000', nodePortAddresses: { all: false, addresses: ['192.168.0.2'] } },
      iptables: {
        masqueradeAll: false,
        masqueradeMark: '0x00004000',
        nodePortAddresses: { all: true },
        localhostNodePorts: true,
        nfacct: new Set(['ct_state_invalid_dropped_pkts']),
      },
      ipvs: { scheduler: 'rr', excludeCIDRs: [], strictARP: false },
    },
    {
      family: 'ipv6',
      nodeName: 'node-a',
      zone: 'zone-1',
      nodeIP: '2001:db8::1',
      hostAddresses: [
        { interfaceName: 'lo', address: '::1' },
        { interfaceName: 'eth0', address: '2001:db8::1' },
      ],
      localDetector: { kind: 'cidr', cidr: 'fd00:10::/64' },
      serviceCIDRs: [],
      nftables: { masqueradeAll: false, masqueradeMark: '0x00004000', nodePortAddresses: { all: false, addresses: ['2001:db8::1'] } },
      iptables: {
        masqueradeAll: false,
        masqueradeMark: '0x00004000',
        nodePortAddresses: { all: true },
        localhostNodePorts: true,
        nfacct: new Set(['ct_state_invalid_dropped_pkts']),
      },
      ipvs: { scheduler: 'rr', excludeCIDRs: [], strictARP: false },
    },
  ])
})

test('every field of the configuration', () => {
  const context = first({
    host: HOST,
    fields: {
      nodePortAddresses: ['127.0.0.0/8'],
      nftables: { masqueradeAll: true, masqueradeBit: 5 },
      iptables: { masqueradeAll: true, masqueradeBit: 31, localhostNodePorts: false },
      ipvs: { scheduler: 'sh', excludeCIDRs: ['198.51.100.9/24', 'fd00::/8'], strictARP: true },
    },
  })
  expect(context.nftables).toEqual({
    masqueradeAll: true,
    masqueradeMark: '0x00000020',
    nodePortAddresses: { all: false, addresses: ['127.0.0.1'] },
  })
  expect(context.iptables).toMatchObject({
    masqueradeAll: true,
    masqueradeMark: '0x80000000',
    nodePortAddresses: { all: false, addresses: ['127.0.0.1'] },
    localhostNodePorts: false,
  })
  expect(context.ipvs).toEqual({ scheduler: 'sh', excludeCIDRs: ['198.51.100.0/24'], strictARP: true })
})

test('null and empty values are defaults, as kubeadm writes them', () => {
  const fields = {
    hostnameOverride: '',
    bindAddress: '',
    detectLocalMode: '',
    nodePortAddresses: null,
    nftables: { masqueradeBit: null },
    iptables: { masqueradeBit: null, localhostNodePorts: null },
    ipvs: { scheduler: '', excludeCIDRs: null },
  } as const
  expect(contexts({ host: HOST, fields })).toEqual(contexts({ host: HOST }))
})

test('an empty list of node port addresses is no list: in nftables mode primary', () => {
  expect(first({ fields: { nodePortAddresses: [] } })).toMatchObject({
    nftables: { nodePortAddresses: { all: false, addresses: ['192.168.0.2'] } },
    iptables: { nodePortAddresses: { all: true } },
  })
})

describe('which node', () => {
  const nodes = [DUAL, node({ name: 'node-b', addresses: ['192.168.0.3'] })]
  const two = snapshot({ nodes })
  const host = { ...HOST, nodeName: 'node-b' }
  test.each<[string, Partial<NodeInput> & { fields?: object }, string]>([
    ['the only one', {}, 'node-a'],
    ["the host's", { snapshot: two, host }, 'node-b'],
    ['the override before the host', { snapshot: two, host, fields: { hostnameOverride: 'node-a' } }, 'node-a'],
    ['the override trimmed and in lower case', { snapshot: two, fields: { hostnameOverride: ' Node-B\n' } }, 'node-b'],
    ['--node before all', { snapshot: two, host, nodeName: 'node-a', fields: { hostnameOverride: 'node-b' } }, 'node-a'],
  ])('%s', (_name, input, name) => {
    expect(first({ ...input, report: () => {} }).nodeName).toBe(name)
  })

  test.each([
    ['none', [], 'the snapshot holds no Node and no node is named', 'Say which node the rules are for: --node NAME, or --host FILE.'],
    [
      'several',
      nodes,
      'the snapshot holds several Nodes and none is named',
      'Say which node the rules are for: --node NAME, or --host FILE. Nodes here: node-a, node-b.',
    ],
    [
      'many',
      Array.from({ length: 12 }, (_, i) => node({ name: `n${i}` })),
      'the snapshot holds several Nodes and none is named',
      'Say which node the rules are for: --node NAME, or --host FILE. Nodes here: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, ….',
    ],
  ])('unclear with %s', (_name, nodes, summary, detail) => {
    const run = (): unknown => contexts({ snapshot: snapshot({ nodes }) })
    expect(run).toThrow(DiagnosticsError)
    expect(run).toThrow(`error: ${summary}\n    ${detail}`)
  })
})

describe('the node’s IP', () => {
  const ips = (input: Parameters<typeof contexts>[0]): string[] => contexts({ ...input, report: () => {} }).map(({ nodeIP }) => nodeIP)
  test('InternalIP before ExternalIP, then the order of the Node', () => {
    const object = node({ addresses: ['192.168.0.2', '192.168.0.3'], externalAddresses: ['203.0.113.7', '2001:db8::7'] })
    expect(ips({ snapshot: snapshot({ nodes: [object] }) })).toEqual(['192.168.0.2', '2001:db8::7'])
  })

  test.each([
    ['0.0.0.0', ['192.168.0.2', '2001:db8::1']],
    ['::', ['192.168.0.2', '2001:db8::1']],
    ['198.51.100.4', ['198.51.100.4', '2001:db8::1']],
    ['2001:DB8::4', ['192.168.0.2', '2001:db8::4']],
  ])('bindAddress %s', (bindAddress, expected) => {
    expect(ips({ fields: { bindAddress } })).toEqual(expected)
  })

  test('what is no address does not count', () => {
    const object = node({ addresses: ['soon', '192.168.0.002'] })
    expect(ips({ snapshot: snapshot({ nodes: [object] }) })).toEqual(['192.168.0.2'])
  })
})

describe('families', () => {
  const families = (input: Parameters<typeof contexts>[0]): string[] => contexts({ ...input, report: () => {} }).map(({ family }) => family)
  test.each<[string, Parameters<typeof contexts>[0], string[]]>([
    ['of the host', { host: { ...HOST, families: ['IPv6'] } }, ['ipv6']],
    ['IPv4 before IPv6', { host: { ...HOST, families: ['IPv6', 'IPv4'] } }, ['ipv4', 'ipv6']],
    ['without a host those of the Node', { snapshot: snapshot() }, ['ipv4']],
    ['without either both', { snapshot: snapshot({ nodes: [] }), nodeName: 'node-a' }, ['ipv4', 'ipv6']],
  ])('%s', (_name, input, expected) => {
    expect(families(input)).toEqual(expected)
  })

  test('one without a node IP: loopback, node ports on all addresses, and a warning', () => {
    const { report, found } = collector()
    const [, six] = contexts({ snapshot: snapshot(), host: HOST, report })
    expect(six).toMatchObject({ nodeIP: '::1', nftables: { nodePortAddresses: { all: true } } })
    expect(found).toEqual([
      {
        severity: 'warning',
        place: { object: 'Node node-a', path: 'status.addresses' },
        summary: 'the node has no IPv6 address',
        detail:
          'kube-proxy then takes the loopback address for it: no source range covers the node, and "primary" node port addresses are all of its addresses of this family.',
      },
    ])
  })

  test('a Node that is missing: one warning that says what follows', () => {
    const { report, found } = collector()
    const [four] = contexts({ snapshot: snapshot({ nodes: [] }), host: HOST, report })
    expect(four).toMatchObject({ nodeName: 'node-a', zone: '', nodeIP: '127.0.0.1', nftables: { nodePortAddresses: { all: true } } })
    expect(found.map(({ severity, place, summary }) => [severity, place?.object, summary])).toEqual([
      ['warning', 'Node node-a', 'the snapshot does not hold this Node'],
    ])
  })
})

describe('addresses of the host', () => {
  const seen = (input: Parameters<typeof contexts>[0]): string[][] =>
    contexts({ ...input, report: () => {} }).map(({ hostAddresses }) =>
      hostAddresses.map(({ interfaceName, address }) => `${interfaceName} ${address}`),
    )

  test('by family, canonical, with the interface', () => {
    const interfaces = [
      { name: 'lo', addresses: ['127.0.0.1/8', '::1/128'] },
      { name: 'eth0@if5', addresses: ['192.168.000.2/24', '2001:DB8::1/64', 'soon'] },
      { name: 'a;b', addresses: ['192.168.0.9'] },
    ]
    expect(seen({ host: { ...HOST, interfaces } })).toEqual([
      ['lo 127.0.0.1', 'eth0 192.168.0.2', ' 192.168.0.9'],
      ['lo ::1', 'eth0 2001:db8::1'],
    ])
  })

  test('without host facts: loopback and what the Node says', () => {
    expect(seen({})).toEqual([
      ['lo 127.0.0.1', ' 192.168.0.2'],
      ['lo ::1', ' 2001:db8::1'],
    ])
  })
})

describe('ServiceCIDRs', () => {
  const cidrs = (...cidrs: string[]): ServiceCIDR => ({ kind: 'ServiceCIDR', metadata: { name: 'kubernetes' }, spec: { cidrs } })

  test('by family, canonical, each once, sorted', () => {
    const serviceCIDRs = [cidrs('172.30.0.1/16', 'FD00:10:96::/112'), cidrs('10.96.0.0/12'), cidrs('172.30.0.0/16')]
    const all = contexts({ snapshot: snapshot({ nodes: [DUAL], serviceCIDRs }) })
    expect(all.map(context => context.serviceCIDRs)).toEqual([['10.96.0.0/12', '172.30.0.0/16'], ['fd00:10:96::/112']])
  })

  test('what is no CIDR is an error', () => {
    const { report, found } = collector()
    const context = first({ snapshot: snapshot({ serviceCIDRs: [cidrs('172.30.0.0/16', '172.31.0.0')] }), report })
    expect(context.serviceCIDRs).toEqual(['172.30.0.0/16'])
    expect(found.map(({ severity, place, summary }) => [severity, place, summary])).toEqual([
      ['error', { object: 'ServiceCIDR kubernetes', path: 'spec.cidrs[1]' }, '"172.31.0.0" is not a CIDR'],
    ])
  })
})

describe('values with which kube-proxy does not start are refused', () => {
  test.each<[string, object]>([
    ['nftables.masqueradeBit', { nftables: { masqueradeBit: 32 } }],
    ['nftables.masqueradeBit', { nftables: { masqueradeBit: -1 } }],
    ['iptables.masqueradeBit', { iptables: { masqueradeBit: 1.5 } }],
    ['iptables.masqueradeBit', { iptables: { masqueradeBit: '14; flush ruleset' } }],
    ['ipvs.scheduler', { ipvs: { scheduler: 'rr\n-A' } }],
    ['ipvs.scheduler', { ipvs: { scheduler: 'RR' } }],
    ['ipvs.scheduler', { ipvs: { scheduler: 'a'.repeat(16) } }],
    ['ipvs.excludeCIDRs', { ipvs: { excludeCIDRs: ['10.0.0.0'] } }],
    ['nodePortAddresses', { nodePortAddresses: ['10.0.0.0/40'] }],
    ['bindAddress', { bindAddress: 'eth0' }],
    ['clusterCIDR', { clusterCIDR: '10.0.0.0' }],
  ])('%s: %j', (path, fields) => {
    let thrown: unknown
    try {
      contexts({ fields })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(DiagnosticsError)
    const [diagnostic, ...others] = (thrown as DiagnosticsError).diagnostics
    expect(others).toEqual([])
    expect(diagnostic).toMatchObject({ severity: 'error', place: { object: 'KubeProxyConfiguration', path } })
    expect(diagnostic?.detail).toMatch(/^kube-proxy does not start with it\. /)
  })
})
