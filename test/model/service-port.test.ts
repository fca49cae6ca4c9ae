import { describe, expect, test } from 'vitest'
import { isPort, protocolOf, servicePorts } from '../../src/model/service-port.ts'
import type { ServicePort } from '../../src/model/types.ts'
import type { Service } from '../../src/snapshot/types.ts'
import { collector, noProblems } from '../support/collector.ts'
import { service, servicePort } from '../support/objects.ts'

const ipv4 = (object: Service): ServicePort[] => servicePorts(object, 'ipv4', noProblems)
const only = (object: Service): ServicePort => {
  const [port, ...others] = ipv4(object)
  expect(others).toEqual([])
  return port as ServicePort
}

test('a plain ClusterIP service', () => {
  expect(ipv4(service())).toEqual([servicePort()])
})

test('every field of a load balancer with all there is', () => {
  const object = service({
    name: 'front',
    namespace: 'edge',
    created: '2024-05-01T10:00:00Z',
    type: 'LoadBalancer',
    clusterIP: '172.30.0.9',
    clusterIPs: ['172.30.0.9'],
    ipFamilies: ['IPv4'],
    ports: [
      { name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 },
      { name: 'dns', port: 53, protocol: 'UDP', nodePort: 30053 },
      { name: 'sig', port: 2905, protocol: 'SCTP' },
    ],
    internalTrafficPolicy: 'Local',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 32000,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } },
    externalIPs: ['203.0.113.9'],
    loadBalancerSourceRanges: ['192.0.2.0/24'],
    ingress: [{ ip: '203.0.113.20' }],
  })
  const shared = servicePort({
    name: 'front',
    namespace: 'edge',
    created: '2024-05-01T10:00:00Z',
    clusterIP: '172.30.0.9',
    externalIPs: ['203.0.113.9'],
    loadBalancerVIPs: ['203.0.113.20'],
    sourceRanges: ['192.0.2.0/24'],
    affinitySeconds: 600,
    externalPolicyLocal: true,
    internalPolicyLocal: true,
    healthCheckNodePort: 32000,
  })
  expect(ipv4(object)).toEqual([
    { ...shared, portName: 'http', port: 80, protocol: 'tcp', nodePort: 30080 },
    { ...shared, portName: 'dns', port: 53, protocol: 'udp', nodePort: 30053 },
    { ...shared, portName: 'sig', port: 2905, protocol: 'sctp', nodePort: 0 },
  ])
})

describe('services without rules', () => {
  test.each([
    ['headless', service({ clusterIP: 'None', clusterIPs: ['None'] })],
    ['without cluster IP yet', service({ clusterIP: '' })],
    ['ExternalName', service({ type: 'ExternalName', clusterIP: '172.30.0.41' })],
    ["another proxy's", service({ labels: { 'service.kubernetes.io/service-proxy-name': 'cilium' } })],
    ["another proxy's, with an empty name", service({ labels: { 'service.kubernetes.io/service-proxy-name': '' } })],
    ['of the other family', service({ clusterIP: 'fd00:10:96::41' })],
    ['without ports', service({ ports: [] })],
  ])('%s', (_name, object) => {
    expect(ipv4(object)).toEqual([])
  })

  test('the headless label alone leaves out slices, not services (kube-proxy 1.35 and later)', () => {
    expect(ipv4(service({ labels: { 'service.kubernetes.io/headless': '' } }))).toHaveLength(1)
  })
})

describe('external traffic policy Local', () => {
  test.each([
    ['LoadBalancer', service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }), true],
    ['NodePort', service({ type: 'NodePort', externalTrafficPolicy: 'Local' }), true],
    ['ClusterIP with an external IP', service({ externalTrafficPolicy: 'Local', externalIPs: ['203.0.113.9'] }), true],
    ['ClusterIP with an external IP of the other family', service({ externalTrafficPolicy: 'Local', externalIPs: ['2001:db8::9'] }), true],
    ['ClusterIP that nothing outside reaches', service({ externalTrafficPolicy: 'Local' }), false],
    ['policy Cluster', service({ type: 'NodePort', externalTrafficPolicy: 'Cluster' }), false],
    ['no policy', service({ type: 'NodePort' }), false],
  ])('%s', (_name, object, expected) => {
    expect(only(object).externalPolicyLocal).toBe(expected)
  })
})

describe('health check node port', () => {
  const local = { externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 } as const
  test.each([
    ['LoadBalancer with policy Local', service({ type: 'LoadBalancer', ...local }), 32000],
    ['LoadBalancer with policy Local, none given', service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }), 0],
    ['LoadBalancer with policy Cluster', service({ type: 'LoadBalancer', ...local, externalTrafficPolicy: 'Cluster' }), 0],
    ['NodePort with policy Local', service({ type: 'NodePort', ...local }), 0],
  ])('%s', (_name, object, expected) => {
    expect(only(object).healthCheckNodePort).toBe(expected)
  })
})

describe('session affinity', () => {
  test.each([
    ['None', service({ sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }), 0],
    ['ClientIP', service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }), 60],
    ['ClientIP without a timeout: three hours', service({ sessionAffinity: 'ClientIP' }), 10800],
    ['a null timeout', service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: null } } }), 10800],
    ['at most a day', service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 1e6 } } }), 86400],
  ])('%s', (_name, object, seconds) => {
    expect(only(object).affinitySeconds).toBe(seconds)
  })
})

test.each([
  ['Local', service({ internalTrafficPolicy: 'Local' }), true],
  ['Cluster', service({ internalTrafficPolicy: 'Cluster' }), false],
  ['none', service(), false],
])('internal traffic policy: %s', (_name, object, expected) => {
  expect(only(object).internalPolicyLocal).toBe(expected)
})

describe('ports that get no rules', () => {
  const bad = (port: object): Service => service({ ports: [port as { port: number }, { name: 'good', port: 443 }] })
  test.each([
    ['number 0', { port: 0 }, 'the name, port, nodePort or protocol is not valid'],
    ['number 65536', { port: 65536 }, 'the name, port, nodePort or protocol is not valid'],
    ['a fraction', { port: 80.5 }, 'the name, port, nodePort or protocol is not valid'],
    ['text', { port: '80' }, 'the name, port, nodePort or protocol is not valid'],
    ['an unknown protocol', { port: 80, protocol: 'ICMP' }, 'the name, port, nodePort or protocol is not valid'],
    ['a property of every object as protocol', { port: 80, protocol: 'constructor' }, 'the name, port, nodePort or protocol is not valid'],
    ['a name that is no label', { name: 'Web_1', port: 80 }, 'the name, port, nodePort or protocol is not valid'],
    ['a node port out of range', { port: 80, nodePort: 70000 }, 'the name, port, nodePort or protocol is not valid'],
  ])('%s', (_name, port, summary) => {
    const { report, found } = collector()
    expect(servicePorts(bad(port), 'ipv4', report).map(({ portName }) => portName)).toEqual(['good'])
    expect(found).toEqual([
      {
        severity: 'error',
        place: { object: 'Service shop/web', path: 'spec.ports[0]' },
        summary,
        detail: 'No rules are made for this port: correct it.',
      },
    ])
  })

  test.each([
    ['the same number and protocol', { name: 'b', port: 80 }],
    ['the same name and protocol', { name: 'a', port: 81 }],
  ])('%s as a port before it', (_name, second) => {
    const { report, found } = collector()
    const object = service({ ports: [{ name: 'a', port: 80 }, second] })
    expect(servicePorts(object, 'ipv4', report).map(({ portName }) => portName)).toEqual(['a'])
    expect(found.map(({ severity, place, summary }) => ({ severity, path: place?.path, summary }))).toEqual([
      { severity: 'error', path: 'spec.ports[1]', summary: 'another port of the service has this name, or this port and protocol' },
    ])
  })

  test('one number for two protocols is fine', () => {
    const object = service({
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53, protocol: 'TCP' },
      ],
    })
    expect(ipv4(object).map(({ protocol }) => protocol)).toEqual(['udp', 'tcp'])
  })
})

test.each([
  ['name', service({ name: 'web;drop' }), 'Service shop/web;drop'],
  ['namespace', service({ namespace: 'Shop' }), 'Service Shop/web'],
])('a %s that is no label: no rules, an error', (_name, object, place) => {
  const { report, found } = collector()
  expect(servicePorts(object, 'ipv4', report)).toEqual([])
  expect(found.map(({ severity, place }) => [severity, place?.object])).toEqual([['error', place]])
})

test('a service without a namespace is in default', () => {
  const { metadata, ...rest } = service()
  expect(only({ ...rest, metadata: { name: metadata.name } }).namespace).toBe('default')
})

test.each([
  ['TCP', 'tcp'],
  ['UDP', 'udp'],
  ['SCTP', 'sctp'],
  [undefined, 'tcp'],
  [null, 'tcp'],
  ['tcp', undefined],
  ['', undefined],
  ['__proto__', undefined],
])('protocolOf(%j) is %j', (protocol, expected) => {
  expect(protocolOf(protocol)).toBe(expected)
})

test.each([
  [1, true],
  [65535, true],
  [0, false],
  [65536, false],
  [-1, false],
  [1.5, false],
  [Number.NaN, false],
  ['80', false],
  [null, false],
])('isPort(%j) is %j', (port, expected) => {
  expect(isPort(port)).toBe(expected)
})
