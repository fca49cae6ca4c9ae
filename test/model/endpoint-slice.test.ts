import { describe, expect, test } from 'vitest'
import { endpointName, mergeEndpoints, mergeEndpointsBefore136, readSlice, type SliceRecord } from '../../src/model/endpoint-slice.ts'
import type { Endpoint } from '../../src/model/types.ts'
import type { EndpointSlice } from '../../src/snapshot/types.ts'
import { collector, noProblems } from '../support/collector.ts'
import { type EndpointOptions, endpoint, servicePort, slice, sliceEndpoint } from '../support/objects.ts'

const read = (object: EndpointSlice): SliceRecord => readSlice(object, 'ipv4', noProblems) as SliceRecord
const merged = (slices: readonly EndpointSlice[], port = servicePort(), node = 'node-a'): readonly Endpoint[] =>
  mergeEndpoints(slices.map(read), port, node)
const names = (endpoints: readonly Endpoint[]): string[] => endpoints.map(endpointName)

describe('readSlice', () => {
  test('keeps ports and the first address of each endpoint', () => {
    const object = slice({
      ports: [
        { name: 'http', port: 8080, protocol: 'TCP' },
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: '', port: 9090 },
      ],
      endpoints: [{ addresses: ['10.1.0.1', '10.1.0.99'], nodeName: 'node-a' }],
    })
    expect(read(object)).toEqual({
      name: 'web-a',
      ports: [
        { name: 'http', port: 8080, protocol: 'tcp' },
        { name: 'dns', port: 53, protocol: 'udp' },
        { name: '', port: 9090, protocol: 'tcp' },
      ],
      endpoints: [
        {
          ip: '10.1.0.1',
          nodeName: 'node-a',
          ready: true,
          serving: true,
          terminating: false,
          zoneHints: undefined,
          nodeHints: undefined,
        },
      ],
    })
  })

  test.each([
    ['unknown readiness is ready', undefined, [true, true, false]],
    ['empty conditions', {}, [true, true, false]],
    ['null conditions', { ready: null, serving: null, terminating: null }, [true, true, false]],
    ['not ready, serving unknown', { ready: false }, [false, true, false]],
    ['terminating', { ready: false, serving: true, terminating: true }, [false, true, true]],
  ])('%s', (_name, conditions, expected) => {
    const object = slice({ endpoints: [{ addresses: ['10.1.0.1'], ...(conditions && { conditions }) }] })
    const [{ ready, serving, terminating } = { ready: '', serving: '', terminating: '' }] = read(object).endpoints
    expect([ready, serving, terminating]).toEqual(expected)
  })

  test.each([
    ['none', undefined, undefined, undefined],
    ['null', { forZones: null, forNodes: null }, undefined, undefined],
    ['empty lists are none', { forZones: [], forNodes: [] }, undefined, undefined],
    ['zones', { forZones: [{ name: 'a' }, { name: 'b' }] }, ['a', 'b'], undefined],
    ['nodes', { forNodes: [{ name: 'node-a' }] }, undefined, ['node-a']],
  ])('hints: %s', (_name, hints, zones, nodes) => {
    const [first] = read(slice({ endpoints: [{ addresses: ['10.1.0.1'], ...(hints && { hints }) }] })).endpoints
    expect(first).toMatchObject({ zoneHints: zones, nodeHints: nodes })
  })

  test.each([
    ['IPv6', slice({ addressType: 'IPv6', endpoints: ['fd00::1'] })],
    ['FQDN', slice({ addressType: 'FQDN', endpoints: ['example.com'] })],
  ])('a slice of type %s is nothing in IPv4', (_name, object) => {
    expect(readSlice(object, 'ipv4', noProblems)).toBeUndefined()
  })

  test('null ports and endpoints are none', () => {
    expect(read({ ...slice(), ports: null, endpoints: null })).toEqual({ name: 'web-a', ports: [], endpoints: [] })
  })

  test.each([
    ['no name', { name: null, port: 8080 }],
    ['no number (all ports, which kube-proxy ignores)', { name: 'http', port: null }],
    ['number 0', { name: 'http', port: 0 }],
    ['an unknown protocol', { name: 'http', port: 80, protocol: 'ICMP' as 'TCP' }],
  ])('a port with %s is left out with a warning, those beside it stay', (_name, port) => {
    const { report, found } = collector()
    const record = readSlice(slice({ ports: [port, { name: 'good', port: 9090 }] }), 'ipv4', report)
    expect(record?.ports).toEqual([{ name: 'good', port: 9090, protocol: 'tcp' }])
    expect(found).toEqual([
      {
        severity: 'warning',
        place: { object: 'EndpointSlice shop/web-a', path: 'ports[0]' },
        summary: 'the port has no usable name, number or protocol',
        detail: 'kube-proxy ignores it, so nothing is sent to it.',
      },
    ])
  })

  test.each([
    ['another family', ['fd00::1'], '"fd00::1" is not an address of the slice\'s family'],
    ['no address', ['example.com'], '"example.com" is not an address of the slice\'s family'],
    ['nothing', [], '"" is not an address of the slice\'s family'],
  ])('an endpoint with %s is left out with a warning', (_name, addresses, summary) => {
    const { report, found } = collector()
    const record = readSlice(slice({ endpoints: [{ addresses }, '10.1.0.2'] }), 'ipv4', report)
    expect(record?.endpoints.map(({ ip }) => ip)).toEqual(['10.1.0.2'])
    expect(found.map(diagnostic => [diagnostic.severity, diagnostic.place?.path, diagnostic.summary])).toEqual([
      ['warning', 'endpoints[0].addresses[0]', summary],
    ])
  })

  test('addresses are canonical', () => {
    expect(read(slice({ endpoints: ['010.1.0.011', '::ffff:10.1.0.7'] })).endpoints.map(({ ip }) => ip)).toEqual(['10.1.0.11', '10.1.0.7'])
  })
})

describe('one address several times in one slice: the last that is not terminating, else the first', () => {
  const ready = { node: 'node-a' }
  const notReady = { ready: false, node: 'node-b' }
  const terminating = { ready: false, serving: true, terminating: true, node: 'node-c' }
  const gone = { ready: false, serving: false, terminating: true, node: 'node-d' }
  test.each<[string, EndpointOptions[], string]>([
    ['terminating, ready', [terminating, ready], 'node-a'],
    ['ready, terminating', [ready, terminating], 'node-a'],
    ['terminating, not ready', [terminating, notReady], 'node-b'],
    ['ready, not ready', [ready, notReady], 'node-b'],
    ['not ready, ready, terminating', [notReady, ready, terminating], 'node-a'],
    ['two that terminate', [gone, terminating], 'node-d'],
  ])('%s', (_name, states, node) => {
    const endpoints = ['10.1.0.9', '10.1.0.1'].flatMap(address => states.map(state => sliceEndpoint(address, state)))
    const kept = read(slice({ endpoints })).endpoints
    expect(kept.map(({ ip, nodeName }) => [ip, nodeName])).toEqual([
      ['10.1.0.1', node],
      ['10.1.0.9', node],
    ])
  })
})

describe('mergeEndpoints', () => {
  test('takes the port of the same name and protocol, with its number', () => {
    const ports = [
      { name: 'http', port: 8080, protocol: 'TCP' },
      { name: 'http', port: 8443, protocol: 'UDP' },
      { name: 'dns', port: 53, protocol: 'TCP' },
    ] as const
    expect(merged([slice({ ports, endpoints: ['10.1.0.1'] })], servicePort({ portName: 'http' }))).toEqual([endpoint('10.1.0.1')])
    expect(merged([slice({ ports, endpoints: ['10.1.0.1'] })], servicePort({ portName: 'https' }))).toEqual([])
  })

  test('slices may have other numbers for one port name', () => {
    const slices = [
      slice({ name: 'a', endpoints: ['10.1.0.1'] }),
      slice({ name: 'b', ports: [{ name: '', port: 9090 }], endpoints: ['10.1.0.1', '10.1.0.2'] }),
    ]
    expect(names(merged(slices))).toEqual(['10.1.0.1:8080', '10.1.0.1:9090', '10.1.0.2:9090'])
  })

  test('two ports of one name and protocol in one slice both count', () => {
    const ports = [
      { name: '', port: 9090 },
      { name: '', port: 8080 },
    ]
    expect(names(merged([slice({ ports, endpoints: ['10.1.0.2', '10.1.0.1'] })]))).toEqual([
      '10.1.0.1:8080',
      '10.1.0.1:9090',
      '10.1.0.2:8080',
      '10.1.0.2:9090',
    ])
  })

  test.each([
    ['one slice', ['10.1.0.2', '10.1.0.10', '10.1.0.1', '10.1.0.100'].map(address => [address])],
    ['several slices', [['10.1.0.2', '10.1.0.10'], ['10.1.0.1'], ['10.1.0.100']]],
  ])("sorted by name as kube-proxy's text sort has it: %s", (_name, lists) => {
    const slices =
      lists.length === 4 ? [slice({ endpoints: lists.flat() })] : lists.map((endpoints, i) => slice({ name: `s${i}`, endpoints }))
    expect(names(merged(slices))).toEqual(['10.1.0.100:8080', '10.1.0.10:8080', '10.1.0.1:8080', '10.1.0.2:8080'])
  })

  test('IPv6 is sorted with its brackets', () => {
    const addresses = ['fd00::a', 'fd00::1', 'fd00::10', 'fd00::1a', 'fd00::1:0', 'fd00::']
    const record = readSlice(slice({ addressType: 'IPv6', endpoints: addresses }), 'ipv6', noProblems) as SliceRecord
    const expected = addresses.map(address => `[${address}]:8080`).sort()
    expect(names(mergeEndpoints([record], servicePort(), 'node-a'))).toEqual(expected)
    expect(expected.slice(0, 3)).toEqual(['[fd00::10]:8080', '[fd00::1:0]:8080', '[fd00::1]:8080'])
  })

  test('local is what is on the node of that name', () => {
    const endpoints = [sliceEndpoint('10.1.0.1', { node: 'node-a' }), sliceEndpoint('10.1.0.2', { node: 'node-b' }), '10.1.0.3']
    const local = (node: string): boolean[] => merged([slice({ endpoints })], servicePort(), node).map(({ isLocal }) => isLocal)
    expect(local('node-a')).toEqual([true, false, false])
    expect(local('node-b')).toEqual([false, true, false])
    expect(local('')).toEqual([false, false, false])
  })

  describe('one address in several slices counts once, in its most usable state', () => {
    const states: readonly EndpointOptions[] = [
      { node: 'node-a' },
      { node: 'node-b' },
      { ready: false, serving: true, terminating: true, node: 'node-a' },
      { ready: false, serving: true, terminating: true, node: 'node-b' },
      { ready: false, node: 'node-a' },
      { ready: false, node: 'node-b' },
    ]
    const pairs = states.flatMap((better, i) => states.slice(i + 1).map(worse => [better, worse] as const))
    test.each(pairs)('%j before %j, in either order', (better, worse) => {
      const one = slice({ name: 'a', endpoints: [sliceEndpoint('10.1.0.1', better)] })
      const other = slice({ name: 'b', endpoints: [sliceEndpoint('10.1.0.1', worse)] })
      const expected = merged([one])
      expect(expected).toHaveLength(1)
      expect(merged([one, other])).toEqual(expected)
      expect(merged([other, one])).toEqual(expected)
    })
  })
})

describe('before 1.36, one address several times in one slice: the last that is local, else the first', () => {
  const remote = { node: 'node-b' }
  const local = { node: 'node-a' }
  const leaving = { ready: false, serving: true, terminating: true }
  test.each<[string, EndpointOptions[], Partial<Endpoint>]>([
    ['remote, leaving before ready', [{ ...remote, ...leaving }, remote], { ready: false, terminating: true }],
    ['remote, not ready before ready', [{ ...remote, ready: false }, remote], { ready: false }],
    ['remote, ready before not ready', [remote, { ...remote, ready: false }], { ready: true }],
    ['remote before local', [remote, local], { isLocal: true }],
    ['local before remote', [local, remote], { isLocal: true }],
    ['local, ready before leaving', [local, { ...local, ...leaving }], { ready: false, isLocal: true }],
    ['on no node', [{ ready: false }, {}], { ready: false, isLocal: false }],
  ])('%s', (_name, states, expected) => {
    const records = [read(slice({ endpoints: ['10.1.0.2', ...states.map(state => sliceEndpoint('10.1.0.1', state)), '10.1.0.3'] }))]
    const found = mergeEndpointsBefore136(records, servicePort(), 'node-a') ?? []
    expect(names(found)).toEqual(['10.1.0.1:8080', '10.1.0.2:8080', '10.1.0.3:8080'])
    expect(found[0]).toMatchObject(expected)
  })

  test('nothing differs where no slice repeats an address, though two slices have the same one', () => {
    const records = [read(slice({ name: 'a', endpoints: ['10.1.0.1'] })), read(slice({ name: 'b', endpoints: ['10.1.0.1'] }))]
    expect(mergeEndpointsBefore136(records, servicePort(), 'node-a')).toBeUndefined()
  })
})
