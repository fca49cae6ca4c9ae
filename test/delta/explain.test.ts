import { describe, expect, test } from 'vitest'
import { because, explain } from '../../src/delta/explain.ts'
import type { ServicePort, ServicePortView } from '../../src/model/types.ts'
import { endpoint, servicePort } from '../support/objects.ts'

const PORT = servicePort({ portName: 'http', clusterIP: '172.30.0.1' })

const numbered = (numbers: readonly number[]) => numbers.map(number => endpoint(`10.1.0.${number}`))

function view(numbers: readonly number[], port: Partial<ServicePort> = {}, local: readonly number[] = []): ServicePortView {
  const cluster = numbered(numbers)
  return {
    port: { ...PORT, ...port },
    endpoints: { cluster, local: numbered(local), reachable: cluster, all: cluster, any: cluster.length > 0 },
  }
}

describe('explain', () => {
  test.each<[string, ServicePortView | undefined, ServicePortView | undefined, string[]]>([
    ['nothing', view([1]), view([1]), []],
    ['added', undefined, view([1, 2]), ['Service shop/web port http: added with 2 endpoints']],
    ['removed', view([1]), undefined, ['Service shop/web port http: removed with 1 endpoint']],
    ['a port without name', view([1], { portName: '' }), undefined, ['Service shop/web: removed with 1 endpoint']],
    ['endpoint added', view([1]), view([1, 3]), ['Service shop/web port http: endpoint 10.1.0.3:8080 added']],
    [
      'endpoint replaced',
      view([1, 2]),
      view([1, 3]),
      ['Service shop/web port http: endpoint 10.1.0.3:8080 added', 'Service shop/web port http: endpoint 10.1.0.2:8080 removed'],
    ],
    [
      'last endpoint gone',
      view([1]),
      view([]),
      ['Service shop/web port http: endpoint 10.1.0.1:8080 removed', 'Service shop/web port http: has no endpoints'],
    ],
    ['node port', view([1]), view([1], { nodePort: 30_080 }), ['Service shop/web port http: node port none is now 30080']],
    [
      'policy',
      view([1]),
      view([1], { externalPolicyLocal: true }),
      ['Service shop/web port http: external traffic policy Cluster is now Local'],
    ],
    ['affinity', view([1], { affinitySeconds: 60 }), view([1]), ['Service shop/web port http: session affinity timeout 60 is now none']],
    [
      'addresses and ranges',
      view([1], { externalIPs: ['203.0.113.1'] }),
      view([1], { loadBalancerVIPs: ['203.0.113.2'], sourceRanges: ['192.0.2.0/24'] }),
      [
        'Service shop/web port http: external IP 203.0.113.1 removed',
        'Service shop/web port http: load-balancer address 203.0.113.2 added',
        'Service shop/web port http: source range 192.0.2.0/24 added',
      ],
    ],
    ['local list', view([1, 2]), view([1, 2], {}, [2]), ['Service shop/web port http: endpoint 10.1.0.2:8080 is now used by policy Local']],
  ])('%s', (_name, before, after, sentences) => {
    expect(explain({ before, after })).toEqual(sentences)
  })

  test('because: every origin has its say, the live table only where nobody else has', () => {
    const change = { before: view([1]), after: view([1, 2]) }
    expect(because([change, 'live'])).toEqual(['Service shop/web port http: endpoint 10.1.0.2:8080 added'])
    expect(because(['live'])).toEqual(['in the live table, but of no service of the snapshot'])
    expect(because(['node'])).toEqual(['the node, its configuration or the service CIDRs'])
    expect(because([{ before: change.before, after: change.before }])).toEqual(['Service shop/web port http: its place in the rules'])
  })
})
