import { describe, expect, test } from 'vitest'
import { categorize, isExternallyAccessible, usesClusterEndpoints, usesLocalEndpoints } from '../../src/model/categorize.ts'
import type { Endpoint, ServicePort } from '../../src/model/types.ts'
import { endpoint, servicePort } from '../support/objects.ts'

const HERE = { nodeName: 'node-a', zone: 'zone-1' }
const INTERNAL = servicePort()
const INTERNAL_LOCAL = servicePort({ internalPolicyLocal: true })
const NODE_PORT = servicePort({ nodePort: 30080 })
const EXTERNAL_LOCAL = servicePort({ nodePort: 30080, externalPolicyLocal: true })
const BOTH_LOCAL = servicePort({ nodePort: 30080, externalPolicyLocal: true, internalPolicyLocal: true })

const ready = (n: number, fields: Partial<Endpoint> = {}): Endpoint => endpoint(`10.1.0.${n}`, fields)
const local = (n: number, fields: Partial<Endpoint> = {}): Endpoint => ready(n, { isLocal: true, ...fields })
const TERMINATING = { ready: false, serving: true, terminating: true } as const
const GONE = { ready: false, serving: false, terminating: true } as const
const NOT_READY = { ready: false, serving: false, terminating: false } as const

/** The last octets of each list. */
function lists(port: ServicePort, endpoints: readonly Endpoint[], node = HERE): object {
  const { cluster, local, reachable, any } = categorize(endpoints, port, node)
  const octets = (list: readonly Endpoint[]): number[] => list.map(({ ip }) => Number(ip.split('.')[3]))
  return { cluster: octets(cluster), local: octets(local), reachable: octets(reachable), any }
}

describe('which policies a service port uses', () => {
  test.each([
    ['cluster IP only', INTERNAL, [false, true, false]],
    ['internal policy Local', INTERNAL_LOCAL, [false, false, true]],
    ['node port', NODE_PORT, [true, true, false]],
    ['external policy Local: Cluster too, for pods and the node itself', EXTERNAL_LOCAL, [true, true, true]],
    ['both Local', BOTH_LOCAL, [true, true, true]],
    ['external IP', servicePort({ externalIPs: ['203.0.113.9'] }), [true, true, false]],
    ['load balancer', servicePort({ loadBalancerVIPs: ['203.0.113.9'] }), [true, true, false]],
    ['external policy Local without a way in', servicePort({ externalPolicyLocal: true }), [false, true, false]],
  ])('%s', (_name, port, expected) => {
    expect([isExternallyAccessible(port), usesClusterEndpoints(port), usesLocalEndpoints(port)]).toEqual(expected)
  })
})

describe('by policy', () => {
  const endpoints = [local(1), ready(2), local(3)]
  test.each([
    ['Cluster', INTERNAL, { cluster: [1, 2, 3], local: [], reachable: [1, 2, 3], any: true }],
    ['internal Local', INTERNAL_LOCAL, { cluster: [], local: [1, 3], reachable: [1, 3], any: true }],
    ['external Local', EXTERNAL_LOCAL, { cluster: [1, 2, 3], local: [1, 3], reachable: [1, 2, 3], any: true }],
    ['both Local', BOTH_LOCAL, { cluster: [1, 2, 3], local: [1, 3], reachable: [1, 2, 3], any: true }],
  ])('%s', (_name, port, expected) => {
    expect(lists(port, endpoints)).toEqual(expected)
  })

  test.each([
    ['none at all', [], { cluster: [], local: [], reachable: [], any: false }],
    ['remote ones: none from here, but some', [ready(1)], { cluster: [], local: [], reachable: [], any: true }],
    ['not ready ones', [local(1, NOT_READY)], { cluster: [], local: [], reachable: [], any: false }],
  ])('internal Local with %s', (_name, endpoints, expected) => {
    expect(lists(INTERNAL_LOCAL, endpoints)).toEqual(expected)
  })
})

describe('ready, then serving and terminating (KEP-1669)', () => {
  test.each([
    ['ready ones leave all others out', [ready(1), ready(2, TERMINATING), ready(3, NOT_READY)], [1]],
    ['none ready: those that terminate and serve', [ready(1, TERMINATING), ready(2, GONE), ready(3, TERMINATING)], [1, 3]],
    ['serving but not terminating is not ready', [ready(1, { ready: false, serving: true })], []],
    ['ready and terminating (publishNotReadyAddresses) is ready', [ready(1, { terminating: true }), ready(2, TERMINATING)], [1]],
    ['nobody', [ready(1, GONE), ready(2, NOT_READY)], []],
  ])('%s', (_name, endpoints, cluster) => {
    expect(lists(INTERNAL, endpoints)).toEqual({ cluster, local: [], reachable: cluster, any: cluster.length > 0 })
  })

  test('Local falls back on its own, while Cluster has ready ones elsewhere', () => {
    expect(lists(EXTERNAL_LOCAL, [ready(1), local(2, TERMINATING), local(3, GONE)])).toEqual({
      cluster: [1],
      local: [2],
      reachable: [1, 2],
      any: true,
    })
  })

  test('a local ready one keeps local terminating ones out', () => {
    expect(lists(EXTERNAL_LOCAL, [local(1), local(2, TERMINATING)])).toMatchObject({ cluster: [1], local: [1], reachable: [1] })
  })

  test('what is reachable is sorted by name', () => {
    const endpoints = [local(1, TERMINATING), ready(2), local(3, TERMINATING), ready(4)]
    expect(lists(EXTERNAL_LOCAL, endpoints)).toMatchObject({ cluster: [2, 4], local: [1, 3], reachable: [1, 2, 3, 4] })
  })
})

describe('topology hints (KEP-2433, KEP-3015)', () => {
  const zone = (...zones: string[]): Partial<Endpoint> => ({ zoneHints: zones })
  const node = (...nodes: string[]): Partial<Endpoint> => ({ nodeHints: nodes })

  test.each<[string, Endpoint[], number[]]>([
    ['zone hints: those for the zone', [ready(1, zone('zone-1')), ready(2, zone('zone-2')), ready(3, zone('zone-1', 'zone-2'))], [1, 3]],
    ['one ready endpoint without: no hints', [ready(1, zone('zone-1')), ready(2)], [1, 2]],
    ['one that is not ready without does not matter', [ready(1, zone('zone-1')), ready(2, NOT_READY), ready(3, zone('zone-2'))], [1]],
    ['none for the zone: no hints', [ready(1, zone('zone-2')), ready(2, zone('zone-3'))], [1, 2]],
    ['node hints: those for the node', [ready(1, node('node-a')), ready(2, node('node-b'))], [1]],
    [
      'node hints go before zone hints',
      [ready(1, { ...node('node-b'), ...zone('zone-1') }), ready(2, { ...node('node-a'), ...zone('zone-2') })],
      [2],
    ],
    [
      'none for the node: zone hints',
      [ready(1, { ...node('node-b'), ...zone('zone-1') }), ready(2, { ...node('node-c'), ...zone('zone-2') })],
      [1],
    ],
    ['a node hint missing on one: zone hints', [ready(1, { ...node('node-a'), ...zone('zone-2') }), ready(2, zone('zone-1'))], [2]],
    ['terminating ones are taken without hints', [ready(1, { ...TERMINATING, ...zone('zone-2') }), ready(2, TERMINATING)], [1, 2]],
  ])('%s', (_name, endpoints, cluster) => {
    expect(lists(INTERNAL, endpoints)).toEqual({ cluster, local: [], reachable: cluster, any: true })
  })

  test('a node without a zone: zone hints do not apply', () => {
    expect(lists(INTERNAL, [ready(1, zone('zone-1')), ready(2, zone('zone-2'))], { nodeName: 'node-a', zone: '' })).toMatchObject({
      cluster: [1, 2],
    })
  })

  test('policy Local takes no notice', () => {
    expect(lists(EXTERNAL_LOCAL, [local(1, zone('zone-2')), ready(2, zone('zone-1')), ready(3, zone('zone-2'))])).toEqual({
      cluster: [2],
      local: [1],
      reachable: [1, 2],
      any: true,
    })
    expect(lists(INTERNAL_LOCAL, [local(1, zone('zone-2')), ready(2, zone('zone-1'))])).toMatchObject({
      cluster: [],
      local: [1],
      reachable: [1],
    })
  })
})
