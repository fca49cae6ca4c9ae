import { describe, expect, test } from 'vitest'
import { Claims, serviceKey, servicePortName } from '../../src/model/claims.ts'
import type { ServicePort } from '../../src/model/types.ts'
import { collector, noProblems } from '../support/collector.ts'
import { servicePort } from '../support/objects.ts'

const OLD = '2024-01-01T00:00:00Z'
const NEW = '2024-01-02T00:00:00Z'
const nobody = (port: ServicePort): never => {
  throw new Error(`${servicePortName(port)} is affected`)
}

/** Service ports that share a load-balancer address and port, each with a cluster IP of its own. */
const sharing = (name: string, fields: Partial<ServicePort> = {}): ServicePort =>
  servicePort({ name, clusterIP: `172.30.0.${name.charCodeAt(0)}`, loadBalancerVIPs: ['203.0.113.20'], ...fields })

function claimed(...ports: ServicePort[]): Claims {
  const claims = new Claims()
  for (const port of ports) claims.add(port, () => {})
  return claims
}
const holders = (...ports: ServicePort[]): string[] => {
  const claims = claimed(...ports)
  return ports.filter(port => claims.resolve(port, () => {}).loadBalancerVIPs.length > 0).map(servicePortName)
}

test.each([
  [servicePort(), 'shop/web'],
  [servicePort({ portName: 'http' }), 'shop/web:http'],
])('service port name %#', (port, name) => {
  expect(servicePortName(port)).toBe(name)
  expect(serviceKey(port)).toBe('shop/web')
})

test('what nobody else claims is left alone', () => {
  const [a, b] = [sharing('a'), sharing('b', { loadBalancerVIPs: ['203.0.113.21'] })]
  const claims = new Claims()
  claims.add(a, nobody)
  claims.add(b, nobody)
  expect(claims.resolve(a, noProblems)).toBe(a)
  expect(claims.resolve(b, noProblems)).toBe(b)
  claims.remove(a, nobody)
  claims.remove(b, nobody)
})

describe('who keeps a frontend', () => {
  test.each<[string, ServicePort, ServicePort]>([
    ['the older', sharing('z', { created: OLD }), sharing('a', { created: NEW })],
    [
      'the older, by time and not by text',
      sharing('z', { created: '2024-01-01T23:30:00+02:00' }),
      sharing('a', { created: '2024-01-01T22:00:00Z' }),
    ],
    ['one of known age', sharing('z', { created: NEW }), sharing('a')],
    ['then the first namespace', sharing('z', { namespace: 'a' }), sharing('a', { namespace: 'b' })],
    ['then the first name', sharing('a'), sharing('b')],
    ['names by their own order, not that of the names joined', sharing('a', { name: 'a' }), sharing('b', { name: 'a-b' })],
    ['then the first port name', sharing('a', { portName: 'http' }), sharing('a', { portName: 'https' })],
    ['an age that is no time counts as unknown', sharing('a', { created: OLD }), sharing('b', { created: 'yesterday' })],
  ])('%s, whoever comes first', (_name, winner, loser) => {
    expect(holders(winner, loser)).toEqual([servicePortName(winner)])
    expect(holders(loser, winner)).toEqual([servicePortName(winner)])
  })

  test('one of three', () => {
    expect(holders(sharing('c', { created: NEW }), sharing('b', { created: OLD }), sharing('a', { created: NEW }))).toEqual(['shop/b'])
  })

  test.each<[string, Partial<ServicePort>]>([
    ['another port', { port: 443 }],
    ['another protocol', { protocol: 'udp' }],
  ])('%s of one address is another frontend', (_name, fields) => {
    expect(holders(sharing('a'), sharing('b', fields))).toEqual(['shop/a', 'shop/b'])
  })
})

describe('what a service port loses', () => {
  const holder = servicePort({ name: 'a', clusterIP: '172.30.0.1', externalIPs: ['203.0.113.9'], nodePort: 30080, created: OLD })
  test.each<[string, Partial<ServicePort>, Partial<ServicePort>, string]>([
    [
      'a cluster IP',
      { clusterIP: '172.30.0.1' },
      { clusterIP: '' },
      'address 172.30.0.1, port 80/tcp is also claimed by Service shop/a, which keeps it',
    ],
    [
      'an external IP',
      { externalIPs: ['203.0.113.8', '203.0.113.9'] },
      { externalIPs: ['203.0.113.8'] },
      'address 203.0.113.9, port 80/tcp is also claimed by Service shop/a, which keeps it',
    ],
    [
      'a load-balancer address',
      { loadBalancerVIPs: ['203.0.113.9'] },
      { loadBalancerVIPs: [] },
      'address 203.0.113.9, port 80/tcp is also claimed by Service shop/a, which keeps it',
    ],
    [
      "an external IP that is the other's cluster IP",
      { externalIPs: ['172.30.0.1'] },
      { externalIPs: [] },
      'address 172.30.0.1, port 80/tcp is also claimed by Service shop/a, which keeps it',
    ],
    ['a node port', { nodePort: 30080 }, { nodePort: 0 }, 'node port 30080/tcp is also claimed by Service shop/a, which keeps it'],
  ])('%s, with a warning', (_name, claims, left, summary) => {
    const loser = servicePort({ name: 'b', clusterIP: '172.30.0.2', externalIPs: ['203.0.113.7'], created: NEW, ...claims })
    const { report, found } = collector()
    const all = claimed(loser, holder)
    expect(all.resolve(holder, report)).toEqual(holder)
    expect(found).toEqual([])
    expect(all.resolve(loser, report)).toEqual({ ...loser, ...left })
    expect(found).toEqual([
      {
        severity: 'warning',
        place: { object: 'Service shop/b' },
        summary,
        detail:
          'The older service keeps a frontend, then the one that sorts first by name; kube-proxy leaves this to chance. Change one of the two.',
      },
    ])
  })
})

describe('changes', () => {
  test('a newcomer affects all who claim the same', () => {
    const claims = claimed(sharing('a'), sharing('b'))
    const affected: string[] = []
    claims.add(sharing('c'), other => affected.push(other.name))
    expect(affected).toEqual(['a', 'b'])
  })

  test('when the holder goes, the next takes over and is told', () => {
    const [a, b, c] = [sharing('a'), sharing('b'), sharing('c')]
    const claims = claimed(c, a, b)
    const affected: string[] = []
    claims.remove(a, other => affected.push(other.name))
    expect(affected).toEqual(['b', 'c'])
    expect(claims.resolve(b, noProblems).loadBalancerVIPs).toEqual(['203.0.113.20'])
    expect(claims.resolve(c, () => {}).loadBalancerVIPs).toEqual([])
    claims.remove(b, () => {})
    expect(claims.resolve(c, noProblems)).toEqual(c)
  })

  test('a service that comes back younger has lost its place', () => {
    const [a, b] = [sharing('a', { created: OLD }), sharing('b', { created: NEW })]
    const claims = claimed(a, b)
    claims.remove(a, () => {})
    const again = sharing('a', { created: '2024-01-03T00:00:00Z' })
    claims.add(again, () => {})
    expect(claims.resolve(b, noProblems)).toEqual(b)
    expect(claims.resolve(again, () => {}).loadBalancerVIPs).toEqual([])
  })

  test('one port that lists an address as external IP and load-balancer address claims it once', () => {
    const port = servicePort({ externalIPs: ['203.0.113.20'], loadBalancerVIPs: ['203.0.113.20'] })
    const claims = new Claims()
    claims.add(port, nobody)
    expect(claims.resolve(port, noProblems)).toBe(port)
    claims.remove(port, nobody)
    const other = sharing('b')
    claims.add(other, nobody)
    expect(claims.resolve(other, noProblems)).toBe(other)
  })
})
