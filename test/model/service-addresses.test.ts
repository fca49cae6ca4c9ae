import { describe, expect, test } from 'vitest'
import type { Family } from '../../src/address.ts'
import { servicePorts } from '../../src/model/service-port.ts'
import type { ServicePort } from '../../src/model/types.ts'
import type { Service } from '../../src/snapshot/types.ts'
import { collector, noProblems } from '../support/collector.ts'
import { service } from '../support/objects.ts'

const port = (object: Service, family: Family = 'ipv4'): ServicePort | undefined => servicePorts(object, family, noProblems)[0]

describe('the cluster IP of a family', () => {
  const dual = service({
    clusterIP: 'fd00:10:96::41',
    clusterIPs: ['fd00:10:96::41', '172.30.0.41'],
    ipFamilies: ['IPv6', 'IPv4'],
  })
  const single = { clusterIP: '172.30.0.41', clusterIPs: ['172.30.0.41'], ipFamilies: ['IPv4'] } as const

  test.each([
    ['dual-stack, IPv4 second', dual, '172.30.0.41', 'fd00:10:96::41'],
    ['single-stack', service(single), '172.30.0.41', undefined],
    ['without ipFamilies, IPv4', service({ clusterIP: '172.30.0.41' }), '172.30.0.41', undefined],
    ['without ipFamilies, IPv6', service({ clusterIP: 'FD00:10:96:0::41' }), undefined, 'fd00:10:96::41'],
    ['with padding', service({ clusterIP: '172.030.000.041' }), '172.30.0.41', undefined],
    ['IPv4-mapped', service({ clusterIP: '::ffff:172.30.0.41' }), '172.30.0.41', undefined],
  ])('%s', (_name, object, v4, v6) => {
    expect(port(object, 'ipv4')?.clusterIP).toBe(v4)
    expect(port(object, 'ipv6')?.clusterIP).toBe(v6)
  })

  test.each([
    [
      'ipFamilies has one more than clusterIPs: kube-proxy makes no rules',
      service({ ...single, ipFamilies: ['IPv4', 'IPv6'] }),
      'ipv6' as Family,
      'warning',
      'spec.clusterIPs[1]',
      'ipFamilies has IPv6, but clusterIPs lacks its address',
    ],
    [
      'an address of the wrong family',
      service({ ...single, clusterIPs: ['fd00::1'] }),
      'ipv4' as Family,
      'error',
      'spec.clusterIPs[0]',
      '"fd00::1" is not an IPv4 address',
    ],
    ['no address', service({ clusterIP: 'soon' }), 'ipv4' as Family, 'error', 'spec.clusterIP', '"soon" is not an IPv4 address'],
  ])('%s', (_name, object, family, severity, path, summary) => {
    const { report, found } = collector()
    expect(servicePorts(object, family, report)).toEqual([])
    expect(found.map(diagnostic => [diagnostic.severity, diagnostic.place?.path, diagnostic.summary])).toEqual([[severity, path, summary]])
  })
})

describe('external IPs and load-balancer addresses', () => {
  const dual = {
    clusterIPs: ['172.30.0.41', 'fd00:10:96::41'],
    ipFamilies: ['IPv4', 'IPv6'] as const,
    externalIPs: ['203.0.113.9', '2001:DB8::0009', '203.0.113.009', '::ffff:203.0.113.8'],
  }

  test('by family, canonical, in order, with repeats', () => {
    expect(port(service(dual), 'ipv4')?.externalIPs).toEqual(['203.0.113.9', '203.0.113.9', '203.0.113.8'])
    expect(port(service(dual), 'ipv6')?.externalIPs).toEqual(['2001:db8::9'])
  })

  test('of ipMode VIP only; host names and empty entries are not for the node', () => {
    const object = service({
      type: 'LoadBalancer',
      ingress: [
        { ip: '203.0.113.20' },
        { ip: '203.0.113.21', ipMode: 'VIP' },
        { ip: '203.0.113.22', ipMode: 'Proxy' },
        { hostname: 'lb.example.com' },
        { ip: '', hostname: 'lb.example.com' },
        { ip: '2001:db8::20' },
        { ip: '203.0.113.20' },
      ],
    })
    expect(port(object)?.loadBalancerVIPs).toEqual(['203.0.113.20', '203.0.113.21', '203.0.113.20'])
  })

  test('a mode that nobody knows is not VIP', () => {
    const object = service({ type: 'LoadBalancer', ingress: [{ ip: '203.0.113.20', ipMode: 'Maybe' as 'VIP' }] })
    expect(port(object)?.loadBalancerVIPs).toEqual([])
  })

  test.each([
    ['spec.externalIPs', service({ externalIPs: ['203.0.113.9', 'example.com'] })],
    ['status.loadBalancer.ingress', service({ type: 'LoadBalancer', ingress: [{ ip: 'example.com' }] })],
  ])('no address in %s: an error, and the rest counts', (path, object) => {
    const { report, found } = collector()
    expect(servicePorts(object, 'ipv4', report)).toHaveLength(1)
    expect(found.map(({ severity, place, summary }) => [severity, place, summary])).toEqual([
      ['error', { object: 'Service shop/web', path }, '"example.com" is not an IP address'],
    ])
  })
})

describe('source ranges', () => {
  const ranges = (...loadBalancerSourceRanges: string[]): Service => service({ type: 'LoadBalancer', loadBalancerSourceRanges })

  test.each([
    ['none', ranges(), []],
    ['in order, with repeats, as they are', ranges('198.51.100.0/24', '192.0.2.0/24'), ['198.51.100.0/24', '192.0.2.0/24']],
    ['trimmed, host bits masked', ranges(' 192.0.2.77/24\t', '010.1.2.3/8'), ['192.0.2.0/24', '10.0.0.0/8']],
    ['of this family only', ranges('2001:db8::/32', '192.0.2.0/24'), ['192.0.2.0/24']],
    ['of the other family only: no restriction, as kube-proxy has it', ranges('2001:db8::/32'), []],
    ['everything among them: no restriction', ranges('192.0.2.0/24', '0.0.0.0/0'), []],
    ['everything of the other family restricts this one still', ranges('192.0.2.0/24', '::/0'), ['192.0.2.0/24']],
    ['overlapping ones stay', ranges('10.0.0.0/8', '10.1.0.0/16'), ['10.0.0.0/8', '10.1.0.0/16']],
  ])('%s', (_name, object, expected) => {
    expect(port(object)?.sourceRanges).toEqual(expected)
  })

  test('what is no CIDR is an error', () => {
    const { report, found } = collector()
    const [first] = servicePorts(ranges('192.0.2.0/24', '192.0.2.1'), 'ipv4', report)
    expect(first?.sourceRanges).toEqual(['192.0.2.0/24'])
    expect(found.map(({ severity, place, summary }) => [severity, place?.path, summary])).toEqual([
      ['error', 'spec.loadBalancerSourceRanges[1]', '"192.0.2.1" is not a CIDR'],
    ])
  })
})
