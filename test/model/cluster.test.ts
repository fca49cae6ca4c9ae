import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Family } from '../../src/address.ts'
import { Cluster } from '../../src/model/cluster.ts'
import { endpointName } from '../../src/model/endpoint-slice.ts'
import type { ServicePortView } from '../../src/model/types.ts'
import type { EndpointSlice, Service } from '../../src/snapshot/types.ts'
import * as arbitrary from '../support/arbitraries.ts'
import { noProblems } from '../support/collector.ts'
import { service, slice, sliceEndpoint } from '../support/objects.ts'

const NODE = { nodeName: 'node-a', zone: 'zone-1' }

function clusterOf(...objects: (Service | EndpointSlice)[]): Cluster {
  const cluster = new Cluster('ipv4', noProblems)
  for (const object of objects) {
    if (object.kind === 'Service') cluster.setService(object)
    else cluster.setSlice(object)
  }
  return cluster
}
const endpoints = (cluster: Cluster, key = 'shop/web'): string[][] =>
  cluster.views(key, NODE).map(view => view.endpoints.reachable.map(endpointName))

describe('a service and its slices', () => {
  const web = service()
  const slices = [slice({ name: 'b', endpoints: ['10.1.0.2'] }), slice({ name: 'a', endpoints: ['10.1.0.1'] })]

  test.each([
    ['service first', [web, ...slices]],
    ['slices first', [...slices, web]],
    ['between', [slices[0] as EndpointSlice, web, slices[1] as EndpointSlice]],
  ])('%s', (_name, objects) => {
    expect(endpoints(clusterOf(...objects))).toEqual([['10.1.0.1:8080', '10.1.0.2:8080']])
  })

  test('each port has a view with its own endpoints, in the order of the Service', () => {
    const object = service({
      ports: [
        { name: 'https', port: 443 },
        { name: 'http', port: 80 },
        { name: 'none', port: 81 },
      ],
    })
    const ports = [
      { name: 'http', port: 8080 },
      { name: 'https', port: 8443 },
    ]
    const views = clusterOf(object, slice({ ports, endpoints: ['10.1.0.1'] })).views('shop/web', NODE)
    expect(views.map(({ port, endpoints }) => [port.portName, endpoints.reachable.map(endpointName), endpoints.any])).toEqual([
      ['https', ['10.1.0.1:8443'], true],
      ['http', ['10.1.0.1:8080'], true],
      ['none', [], false],
    ])
  })

  test.each([
    ['of another namespace', slice({ namespace: 'other', endpoints: ['10.1.0.1'] })],
    ['of another service', slice({ of: 'api', endpoints: ['10.1.0.1'] })],
    ['of no service', slice({ of: '', endpoints: ['10.1.0.1'] })],
    ['of the other family', slice({ addressType: 'IPv6', endpoints: ['fd00::1'] })],
    ['of a headless service', slice({ labels: { 'service.kubernetes.io/headless': '' }, endpoints: ['10.1.0.1'] })],
  ])('a slice %s does not count', (_name, object) => {
    expect(endpoints(clusterOf(web, object))).toEqual([[]])
  })

  test('a slice without labels does not count', () => {
    const { metadata, ...rest } = slice({ endpoints: ['10.1.0.1'] })
    expect(endpoints(clusterOf(web, { ...rest, metadata: { name: metadata.name, namespace: 'shop' } }))).toEqual([[]])
  })

  test('keys are those of services with ports of the family, sorted', () => {
    const cluster = clusterOf(
      service({ name: 'b' }),
      service({ name: 'a' }),
      service({ name: 'six', clusterIP: 'fd00::1' }),
      service({ name: 'headless', clusterIP: 'None' }),
      slice({ of: 'only-slices', endpoints: ['10.1.0.1'] }),
    )
    expect(cluster.keys()).toEqual(['shop/a', 'shop/b'])
    expect(cluster.views('shop/six', NODE)).toEqual([])
    expect(cluster.views('shop/only-slices', NODE)).toEqual([])
  })
})

describe('changes', () => {
  const state = (): Cluster => {
    const cluster = clusterOf(service(), service({ name: 'api', clusterIP: '172.30.0.42' }), slice({ endpoints: ['10.1.0.1'] }))
    cluster.takeChanged()
    return cluster
  }

  test('each is handed over once', () => {
    const cluster = clusterOf(service(), slice(), slice())
    expect(cluster.takeChanged()).toEqual(['shop/web'])
    expect(cluster.takeChanged()).toEqual([])
  })

  test.each<[string, (cluster: Cluster) => void, string[], string[][]]>([
    ['a slice replaced', c => c.setSlice(slice({ endpoints: ['10.1.0.2'] })), ['shop/web'], [['10.1.0.2:8080']]],
    [
      'a slice added',
      c => c.setSlice(slice({ name: 'web-b', endpoints: ['10.1.0.2'] })),
      ['shop/web'],
      [['10.1.0.1:8080', '10.1.0.2:8080']],
    ],
    ['a slice deleted', c => c.deleteSlice('shop', 'web-a'), ['shop/web'], [[]]],
    ['a slice moved to another service', c => c.setSlice(slice({ of: 'api', endpoints: ['10.1.0.1'] })), ['shop/web', 'shop/api'], [[]]],
    ['a slice that loses its label', c => c.setSlice(slice({ of: '' })), ['shop/web'], [[]]],
    ['a slice whose type changes', c => c.setSlice(slice({ addressType: 'FQDN' })), ['shop/web'], [[]]],
    ['a slice of the same name elsewhere deleted', c => c.deleteSlice('other', 'web-a'), [], [['10.1.0.1:8080']]],
    ['an unknown slice deleted', c => c.deleteSlice('shop', 'web-z'), [], [['10.1.0.1:8080']]],
    ['the service deleted', c => c.deleteService('shop', 'web'), ['shop/web'], []],
    ['the service made headless', c => c.setService(service({ clusterIP: 'None' })), ['shop/web'], []],
    ['an unknown service deleted', c => c.deleteService('shop', 'no'), [], [['10.1.0.1:8080']]],
    ['a headless service added', c => c.setService(service({ name: 'no', clusterIP: 'None' })), [], [['10.1.0.1:8080']]],
  ])('%s', (_name, change, changed, expected) => {
    const cluster = state()
    change(cluster)
    expect(cluster.takeChanged()).toEqual(changed)
    expect(endpoints(cluster)).toEqual(expected)
  })

  test('slices outlive their service, for the one that takes its name', () => {
    const cluster = state()
    cluster.deleteService('shop', 'web')
    cluster.setService(service({ ports: [{ port: 81 }] }))
    expect(endpoints(cluster)).toEqual([['10.1.0.1:8080']])
  })

  test('a change of hands marks both services', () => {
    const vip = { type: 'LoadBalancer', ingress: [{ ip: '203.0.113.20' }] } as const
    const cluster = clusterOf(service({ name: 'b', clusterIP: '172.30.0.2', ...vip }))
    cluster.takeChanged()
    cluster.setService(service({ name: 'a', clusterIP: '172.30.0.1', ...vip }))
    expect(cluster.takeChanged().sort()).toEqual(['shop/a', 'shop/b'])
    cluster.deleteService('shop', 'a')
    expect(cluster.takeChanged().sort()).toEqual(['shop/a', 'shop/b'])
  })
})

test('of equal endpoints in two slices the one in the first by name counts, whichever came first', () => {
  const zones = (zone: string): object => ({ endpoints: [sliceEndpoint('10.1.0.1', { zones: [zone] })] })
  const [a, b] = [slice({ name: 'a', ...zones('zone-1') }), slice({ name: 'b', ...zones('zone-2') })]
  for (const order of [
    [a, b],
    [b, a],
    [a, b, a],
  ]) {
    const [view] = clusterOf(service(), ...order).views('shop/web', NODE)
    expect(view?.endpoints.cluster[0]?.zoneHints).toEqual(['zone-1'])
  }
})

/** Slices under names of their own, so that one moves between services. */
const movingSlice = fc
  .tuple(arbitrary.slice, fc.constantFrom('s1', 's2', 's3'))
  .map(([object, name]): EndpointSlice => ({ ...object, metadata: { ...object.metadata, name } }))
/** Services of which some claim the cluster IP of another. */
const contestedService = fc
  .tuple(arbitrary.service, fc.boolean())
  .map(
    ([object, contested]): Service =>
      contested ? { ...object, spec: { ...object.spec, externalIPs: ['172.30.0.10', 'fd00:10:96::10'] } } : object,
  )

type Step = { readonly set: Service | EndpointSlice } | { readonly delete: Service | EndpointSlice }
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.oneof(contestedService, movingSlice).map((object): Step => ({ set: object })) },
    { weight: 1, arbitrary: fc.oneof(contestedService, movingSlice).map((object): Step => ({ delete: object })) },
  ),
  { maxLength: 30 },
)

function take(cluster: Cluster, step: Step): void {
  const object = 'set' in step ? step.set : step.delete
  const { namespace = 'default', name } = object.metadata
  if ('set' in step) {
    if (object.kind === 'Service') cluster.setService(object)
    else cluster.setSlice(object)
  } else if (object.kind === 'Service') cluster.deleteService(namespace, name)
  else cluster.deleteSlice(namespace, name)
}

const allViews = (cluster: Cluster): Map<string, ServicePortView[]> => new Map(cluster.keys().map(key => [key, cluster.views(key, NODE)]))

describe.each<Family>(['ipv4', 'ipv6'])('kept up to date, %s', family => {
  test('is the same as made from the last objects, in whatever order', () => {
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), (history, random) => {
        const cluster = new Cluster(family, () => {})
        const last = new Map<string, Step>()
        for (const step of history) {
          take(cluster, step)
          const { kind, metadata } = 'set' in step ? step.set : step.delete
          last.set(`${kind} ${metadata.namespace}/${metadata.name}`, step)
        }
        const fresh = new Cluster(family, () => {})
        const remaining = [...last.values()].filter(step => 'set' in step)
        const keyed = remaining.map(step => ({ step, order: random.next().value as number }))
        for (const { step } of keyed.sort((a, b) => a.order - b.order)) take(fresh, step)
        expect(allViews(cluster)).toEqual(allViews(fresh))
      }),
      { numRuns: 500 },
    )
  })

  test('takeChanged hands over every service whose views differ', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 5 }), rounds => {
        const cluster = new Cluster(family, () => {})
        let before = allViews(cluster)
        for (const round of rounds) {
          for (const step of round) take(cluster, step)
          const changed = new Set(cluster.takeChanged())
          const after = allViews(cluster)
          for (const key of new Set([...before.keys(), ...after.keys()])) {
            if (!changed.has(key)) expect(after.get(key)).toEqual(before.get(key))
          }
          before = after
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('where a slice repeats an address, the view has what kube-proxy before 1.36 took too', () => {
  const endpoints = [sliceEndpoint('10.1.0.1', { ready: false }), sliceEndpoint('10.1.0.1')]
  const [view] = clusterOf(service(), slice({ endpoints })).views('shop/web', NODE)
  expect(view?.endpoints.cluster.map(endpointName)).toEqual(['10.1.0.1:8080'])
  expect(view?.endpointsBefore136).toMatchObject({ cluster: [], any: false })
})
