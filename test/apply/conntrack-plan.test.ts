import { describe, expect, test } from 'vitest'
import { type Flow, parseFlows } from '../../src/apply/conntrack-flows.ts'
import { concernsUdp, type FlowFilter, planConntrack } from '../../src/apply/conntrack-plan.ts'
import type { ServicePortChange } from '../../src/delta/explain.ts'
import { nodeContexts } from '../../src/model/node.ts'
import type { Endpoint, NodeContext, ServicePort, ServicePortView } from '../../src/model/types.ts'
import { configuration, endpoint, servicePort, snapshot } from '../support/objects.ts'

const NODE_IP = '192.168.0.2'

function node(nodePortAddresses: readonly string[] = []): NodeContext {
  const contexts = nodeContexts({
    snapshot: snapshot(),
    configuration: configuration({ mode: 'nftables', nodePortAddresses: [...nodePortAddresses] }),
    host: undefined,
    nodeName: undefined,
    report: () => {},
  })
  return contexts[0] as NodeContext
}

const DNS: Partial<ServicePort> = {
  protocol: 'udp',
  port: 53,
  clusterIP: '172.30.0.10',
  nodePort: 30053,
  externalIPs: ['198.51.100.7'],
  loadBalancerVIPs: ['203.0.113.9'],
}

function view(fields: Partial<ServicePort>, ...all: (string | Endpoint)[]): ServicePortView {
  const endpoints = all.map(each => (typeof each === 'string' ? endpoint(each) : each))
  const usable = endpoints.filter(({ ready }) => ready)
  return {
    port: servicePort(fields),
    endpoints: { cluster: usable, local: [], reachable: usable, all: endpoints, any: usable.length > 0 },
  }
}

/** `172.30.0.10:53>10.1.0.1:8080` */
function flow(text: string): Flow {
  const [destination = '', port = '', answeredBy = '', answeredPort = ''] = text.split(/[:>]/)
  return { destination, port: Number(port), answeredBy, answeredPort: Number(answeredPort) }
}

function shown({ destination = '*', port = 0, answeredBy, answeredPort }: FlowFilter): string {
  return `${destination}:${port}>${answeredBy}:${answeredPort}`
}

function plan(changes: readonly ServicePortChange[], flows: readonly string[], context = node()): string[] {
  return planConntrack({ node: context, changes }, flows.map(flow)).map(shown)
}

const replaced = { before: view(DNS, '10.1.0.1', '10.1.0.2'), after: view(DNS, '10.1.0.2', '10.1.0.3') }

describe('flows are stale', () => {
  test.each([
    ['cluster IP', '172.30.0.10:53'],
    ['external IP', '198.51.100.7:53'],
    ['load-balancer address', '203.0.113.9:53'],
    ['node port', `${NODE_IP}:30053`],
  ])('to a %s when their endpoint is gone', (_, destination) => {
    expect(plan([replaced], [`${destination}>10.1.0.1:8080`, `${destination}>10.1.0.2:8080`])).toEqual([`${destination}>10.1.0.1:8080`])
  })

  test('when the endpoint has another port now', () => {
    const moved = { before: view(DNS, '10.1.0.1'), after: view(DNS, endpoint('10.1.0.1', { port: 5353 })) }
    expect(plan([moved], ['172.30.0.10:53>10.1.0.1:8080', '172.30.0.10:53>10.1.0.1:5353'])).toEqual(['172.30.0.10:53>10.1.0.1:8080'])
  })

  test('when the service has no endpoint left', () => {
    expect(plan([{ before: view(DNS, '10.1.0.1'), after: view(DNS) }], ['172.30.0.10:53>10.1.0.1:8080'])).toHaveLength(1)
  })

  test('when the service is gone, or moved to another address', () => {
    const moved = { before: view(DNS, '10.1.0.1'), after: view({ ...DNS, clusterIP: '172.30.0.11' }, '10.1.0.1') }
    for (const change of [moved, { before: view(DNS, '10.1.0.1'), after: undefined }])
      expect(plan([change], ['172.30.0.10:53>10.1.0.1:8080'])).toEqual(['172.30.0.10:53>10.1.0.1:8080'])
  })

  test('when they were not translated and now there is an endpoint', () => {
    const flows = ['203.0.113.9:53>203.0.113.9:53', `${NODE_IP}:30053>${NODE_IP}:30053`]
    expect(plan([{ before: view(DNS), after: view(DNS, '10.1.0.1') }], flows)).toEqual(flows)
    expect(plan([{ before: undefined, after: view(DNS, '10.1.0.1') }], flows)).toEqual(flows)
  })

  test('without anything known of before: a first apply, or one after a crash', () => {
    expect(plan([{ before: undefined, after: view(DNS, '10.1.0.2') }], ['172.30.0.10:53>10.1.0.1:8080'])).toHaveLength(1)
  })
})

describe('flows are left alone', () => {
  test.each([
    ['of another service with the same endpoint', '172.30.0.77:53>10.1.0.1:8080'],
    ['to another port of the address', '172.30.0.10:54>10.1.0.1:8080'],
    ['through the node to a port like the node port', '8.8.8.8:30053>8.8.8.8:30053'],
    ['of another service whose port is like the node port', '172.30.0.78:30053>10.1.0.99:8080'],
    ['straight to the endpoint', '10.1.0.1:8080>10.1.0.1:8080'],
  ])('%s', (_, other) => {
    expect(plan([replaced], [other])).toEqual([])
  })

  test('to an endpoint that is terminating and still serving, or not chosen by traffic policy', () => {
    const draining = endpoint('10.1.0.1', { ready: false, serving: true, terminating: true })
    expect(plan([{ before: view(DNS, '10.1.0.1'), after: view(DNS, draining, '10.1.0.2') }], ['172.30.0.10:53>10.1.0.1:8080'])).toEqual([])
    const silent = endpoint('10.1.0.1', { ready: false, serving: false, terminating: true })
    expect(plan([{ before: view(DNS, '10.1.0.1'), after: view(DNS, silent, '10.1.0.2') }], ['172.30.0.10:53>10.1.0.1:8080'])).toHaveLength(
      1,
    )
  })

  test('that are not translated as long as there is no endpoint', () => {
    expect(plan([{ before: undefined, after: view(DNS) }], ['203.0.113.9:53>203.0.113.9:53'])).toEqual([])
  })

  test('of TCP services, whose connections break by themselves', () => {
    const tcp = { ...DNS, protocol: 'tcp' as const }
    expect(plan([{ before: view(tcp, '10.1.0.1'), after: view(tcp) }], ['172.30.0.10:53>10.1.0.1:8080'])).toEqual([])
  })
})

test('an address that one service gave to another is judged by the new one', () => {
  const taken = { before: undefined, after: view({ ...DNS, name: 'dns2', nodePort: 0 }, '10.1.0.9') }
  const given = { before: view(DNS, '10.1.0.1'), after: undefined }
  for (const changes of [
    [taken, given],
    [given, taken],
  ])
    expect(plan(changes, ['172.30.0.10:53>10.1.0.1:8080', '172.30.0.10:53>10.1.0.9:8080'])).toEqual(['172.30.0.10:53>10.1.0.1:8080'])
})

test('node ports count on the addresses that accept them, and wherever a flow went to a former endpoint', () => {
  const only = node(['10.9.0.0/16'])
  const fresh = { before: undefined, after: view(DNS, '10.1.0.2') }
  expect(plan([fresh], [`${NODE_IP}:30053>10.1.0.1:8080`], only)).toEqual([])
  expect(plan([replaced], ['192.0.2.200:30053>10.1.0.1:8080'], only)).toHaveLength(1)
})

test('frontends that left the live table are gone, unless a service of the snapshot has them', () => {
  const operations = [
    ['service-ips', '172.30.0.99 . udp . 53'],
    ['service-ips', '172.30.0.98 . tcp . 53'],
    ['service-ips', '172.30.0.10 . udp . 53'],
    ['service-nodeports', 'udp . 30099'],
  ].map(([set = '', key = '']) => ({ verb: 'delete' as const, object: { kind: 'element' as const, set, map: true, key } }))
  const change = { node: node(), changes: [{ before: undefined, after: view(DNS, '10.1.0.1') }], operations }
  const stale = ['172.30.0.99:53>10.1.0.7:8080', `${NODE_IP}:30099>10.1.0.8:8080`]
  const right = ['172.30.0.98:53>10.1.0.6:8080', '172.30.0.10:53>10.1.0.1:8080']
  expect(planConntrack(change, [...stale, ...right].map(flow)).map(shown)).toEqual(stale)
  expect(concernsUdp({ ...change, changes: [] })).toBe(true)
  expect(concernsUdp({ ...change, changes: [], operations: operations.slice(1, 2) })).toBe(false)
})

test('one filter does for an endpoint that has only stale flows', () => {
  const stale = ['172.30.0.10:53>10.1.0.1:8080', '203.0.113.9:53>10.1.0.1:8080']
  expect(plan([replaced], stale)).toEqual(['*:0>10.1.0.1:8080'])
  expect(plan([replaced], [...stale, '10.1.0.1:8080>10.1.0.1:8080'])).toEqual(stale)
})

test('listings: both directions, unreplied flows, IPv6; zones and everything else are passed over', () => {
  const listing = [
    'udp      17 29 src=10.244.1.9 dst=172.30.0.10 sport=4000 dport=53 src=10.1.0.1 dst=10.244.1.9 sport=8080 dport=4000 [ASSURED] mark=0 use=1',
    'udp      17 29 src=fd00::9 dst=fd00:10::a sport=4000 dport=53 [UNREPLIED] src=fd00:1::1 dst=fd00::9 sport=8080 dport=4000 mark=0 use=1',
    'udp      17 29 src=10.0.0.1 dst=172.30.0.10 sport=1 dport=53 src=10.1.0.1 dst=10.0.0.1 sport=8080 dport=1 mark=0 zone=7 use=1',
    'conntrack v1.4.7 (conntrack-tools): 3 flow entries have been shown.',
    '',
  ].join('\n')
  expect([...parseFlows(listing)]).toEqual([
    { destination: '172.30.0.10', port: 53, answeredBy: '10.1.0.1', answeredPort: 8080 },
    { destination: 'fd00:10::a', port: 53, answeredBy: 'fd00:1::1', answeredPort: 8080 },
  ])
})
