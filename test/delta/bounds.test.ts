import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/delta/change.ts'
import { NodeRules } from '../../src/delta/node-rules.ts'
import type { Operation } from '../../src/delta/operation.ts'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import type { EndpointSlice, Node, Service } from '../../src/snapshot/types.ts'

const NODE: Node = { kind: 'Node', metadata: { name: 'node-a' }, status: { addresses: [{ type: 'InternalIP', address: '192.168.0.2' }] } }

type Spec = Service['spec']

function service(name: string, number: number, spec: Partial<Spec> = {}, ingress: readonly string[] = []): Service {
  return {
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { type: 'ClusterIP', clusterIP: `172.30.0.${number}`, ports: [{ port: 80, protocol: 'TCP' }], ...spec },
    status: { loadBalancer: { ingress: ingress.map(ip => ({ ip })) } },
  }
}

/** A slice with endpoints 10.1.0.N; even numbers run on this node. */
function slice(name: string, numbers: readonly number[]): EndpointSlice {
  return {
    kind: 'EndpointSlice',
    metadata: { name: `${name}-x`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints: numbers.map(number => ({
      addresses: [`10.1.0.${number}`],
      conditions: { ready: true },
      nodeName: number % 2 === 0 ? 'node-a' : 'node-b',
    })),
  }
}

const set = (object: Service | EndpointSlice | Node): Change => ({ type: 'set', object })

/** A running node whose other services already use every shared chain that small services need. */
function running(...objects: (Service | EndpointSlice)[]): NodeRules {
  const rules = new NodeRules({
    layout: LAYOUTS.maps,
    configuration: { kind: 'KubeProxyConfiguration', clusterCIDR: '10.0.0.0/8' },
    report: () => {},
  })
  const others = [1, 2, 3, 4].flatMap(count => {
    const endpoints = Array.from({ length: count }, (_, index) => 200 + index)
    return (['Cluster', 'Local'] as const).flatMap((policy, index) => {
      const name = `other-${count}-${policy.toLowerCase()}`
      const spec: Partial<Spec> = {
        type: 'NodePort',
        ports: [{ port: 80, protocol: 'TCP', nodePort: 31_000 + count * 2 + index }],
        externalTrafficPolicy: policy,
        externalIPs: [`198.51.100.${count * 2 + index}`],
      }
      return [set(service(name, 100 + count * 2 + index, spec)), set(slice(name, endpoints))]
    })
  })
  rules.apply([set(NODE), ...others, ...objects.map(set)])
  return rules
}

/** Operations of the next transaction, hairpin elements of local endpoints aside. */
function operations(rules: NodeRules, ...changes: Change[]): Operation[] {
  const [transaction] = rules.apply(changes)
  return (transaction?.operations ?? []).filter(({ object }) => !(object.kind === 'element' && object.set === 'hairpin-connections'))
}

describe('size of a transaction in layout maps', () => {
  test('nothing changed: nothing to do', () => {
    const [web, endpoints] = [service('web', 1), slice('web', [1, 2])]
    expect(operations(running(web, endpoints), set(web), set(endpoints), set(NODE))).toEqual([])
  })

  test('an endpoint replaced: its element leaves and comes', () => {
    const rules = running(service('web', 1), slice('web', [1, 2, 3]))
    const found = operations(rules, set(slice('web', [1, 4, 3])))
    expect(found.map(({ verb, object }) => [verb, object.kind === 'element' && `${object.set} ${object.key}`])).toEqual([
      ['delete', 'tcp-endpoints 172.30.0.1 . 80 . 1'],
      ['add', 'tcp-endpoints 172.30.0.1 . 80 . 1'],
    ])
  })

  test.each([1, 2, 3])('an endpoint added to %i: at most 3', count => {
    const before = Array.from({ length: count }, (_, index) => index + 1)
    expect(operations(running(service('web', 1), slice('web', before)), set(slice('web', [...before, 9]))).length).toBeLessThanOrEqual(3)
  })

  test('an endpoint added, first to need a chain of that size: the chain and its rule on top', () => {
    const before = [1, 2, 3, 4, 5, 6]
    const rules = running(service('web', 1), slice('web', before), service('api', 2), slice('api', before))
    const found = operations(rules, set(slice('web', [...before, 7])))
    expect(found.filter(({ object }) => object.kind === 'element').length).toBe(3)
    expect(found.filter(({ object }) => object.kind !== 'element').map(({ verb, object }) => `${verb} ${object.kind}`)).toEqual([
      'add chain',
      'add rule',
    ])
  })

  test.each([1, 2, 3, 4])('endpoint %i of four removed: at most 5', gone => {
    const rules = running(service('web', 1), slice('web', [1, 2, 3, 4]))
    const found = operations(
      rules,
      set(
        slice(
          'web',
          [1, 2, 3, 4].filter(number => number !== gone),
        ),
      ),
    )
    expect(found.length).toBeLessThanOrEqual(5)
  })

  test.each([1, 2, 3, 4])('a service with %i endpoints added, then removed: N + 2 each', count => {
    const rules = running()
    const endpoints = slice(
      'web',
      Array.from({ length: count }, (_, index) => index + 1),
    )
    expect(operations(rules, set(service('web', 1)), set(endpoints)).length).toBe(count + 2)
    expect(operations(rules, { type: 'delete', kind: 'Service', namespace: 'shop', name: 'web' }).length).toBe(count + 2)
  })

  test('a NodePort service with external addresses: each address costs its endpoints and one dispatch element', () => {
    const rules = running()
    const spec: Partial<Spec> = {
      type: 'LoadBalancer',
      ports: [{ port: 80, protocol: 'TCP', nodePort: 30_080 }],
      externalTrafficPolicy: 'Cluster',
      externalIPs: ['203.0.113.7'],
    }
    const found = operations(rules, set(service('web', 1, spec, ['203.0.113.8'])), set(slice('web', [1, 2, 3])))
    // cluster IP, external IP, load-balancer address and node port, each with 3 endpoints and a verdict; and the cluster IP in its set.
    expect(found.length).toBe(4 * (3 + 1) + 1)
    expect(operations(rules, set(slice('web', [1, 2, 5]))).length).toBe(4 * 2)
  })

  test('session affinity and source ranges: only chains and sets of the service itself', () => {
    const rules = running()
    const sticky: Partial<Spec> = { sessionAffinity: 'ClientIP' }
    const restricted: Partial<Spec> = { type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.0/24'] }
    const found = [
      ...operations(rules, set(service('sticky', 1, sticky)), set(slice('sticky', [1, 2]))),
      ...operations(rules, set(service('restricted', 2, restricted, ['203.0.113.9'])), set(slice('restricted', [1, 2]))),
      ...operations(rules, set(slice('sticky', [1, 3]))),
    ]
    const chains = found.flatMap(({ object }) =>
      object.kind === 'chain' || object.kind === 'set' ? [object.name] : object.kind === 'rule' ? [object.chain] : [],
    )
    expect(chains.length).toBeGreaterThan(0)
    for (const name of chains) expect(name).toMatch(/-[A-Z2-7]{8}-shop\/(sticky|restricted)\/tcp\//)
  })

  test('the same change costs the same in a cluster of any size', () => {
    const costs = [10, 2000].map(size => {
      const crowd = Array.from({ length: size }, (_, index) => {
        const name = `crowd-${index}`
        const placed = service(name, 0, { clusterIP: `172.31.${index >> 8}.${index & 255}` })
        return [placed, slice(name, [1, 2, 3])]
      }).flat()
      const rules = running(service('web', 1), slice('web', [1, 2, 3]), ...crowd)
      return operations(rules, set(slice('web', [1, 2, 4]))).length
    })
    expect(costs).toEqual([2, 2])
  })
})
