import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type IpvsOperation, IpvsState, ipvsContents } from '../../src/ipvs/index.ts'
import { Cluster } from '../../src/model/cluster.ts'
import type { NodeContext } from '../../src/model/types.ts'
import type { EndpointSlice, Service } from '../../src/snapshot/types.ts'
import { applyTo, contextsOf, history } from './clusters.ts'
import { Memory } from './memory.ts'

function play(state: IpvsState, memory: Memory, context: NodeContext): readonly IpvsOperation[] {
  const { operations, changes } = state.commit(context)
  for (const operation of operations) {
    memory.apply(operation)
    expect(operation.origins.length).toBeGreaterThan(0)
    for (const origin of operation.origins) if (typeof origin !== 'string') expect(changes).toContain(origin)
  }
  return operations
}

function kindOf(operation: IpvsOperation): string {
  return operation.verb === 'restore' ? `${operation.operation.verb} rules` : `${operation.verb} ${operation.object.kind}`
}

test('changes one by one lead to what a full render has, through commands that never fail', () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(history, input => {
      for (const [index, first] of contextsOf(input).entries()) {
        const cluster = new Cluster(first.family, () => {})
        const state = new IpvsState(cluster)
        const memory = new Memory()
        let context = first
        for (const round of input.rounds) {
          for (const change of round) {
            applyTo(cluster, change)
            if (change.type === 'configuration' && change.configuration !== undefined)
              context = contextsOf({ node: input.node, configuration: change.configuration })[index] ?? context
          }
          for (const operation of play(state, memory, context)) kinds.add(kindOf(operation))
          const full = ipvsContents(
            context,
            cluster.keys().flatMap(key => cluster.views(key, context)),
          )
          expect(memory.contents()).toEqual(full)
          expect(state.commit(context).operations).toEqual([])
        }
        for (const operation of state.remove()) {
          memory.apply(operation)
          kinds.add(kindOf(operation))
        }
        const { virtualServers, sets, addresses, chains } = memory
        expect([virtualServers.size, sets.size, addresses.size]).toEqual([0, 0, 0])
        for (const table of Object.values(chains)) for (const rules of table.values()) expect(rules).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
  // Editing a virtual server is rare here, and tested below.
  expect([...kinds].filter(kind => kind !== 'edit virtual server').sort()).toEqual([
    'add address',
    'add destination',
    'add entry',
    'add interface',
    'add set',
    'add virtual server',
    'append rules',
    'delete address',
    'delete destination',
    'delete entry',
    'delete rules',
    'delete set',
    'delete virtual server',
    'remove rules',
    'write rules',
  ])
})

function service(name: string, clusterIP: string, spec: object = {}): Service {
  return {
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { type: 'ClusterIP', clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ports: [{ port: 80, protocol: 'TCP' }], ...spec },
    status: { loadBalancer: {} },
  } as Service
}

function slice(name: string, ...addresses: string[]): EndpointSlice {
  return {
    kind: 'EndpointSlice',
    metadata: { name: `${name}-x`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints: addresses.map(address => ({ addresses: [address], nodeName: 'node-b' })),
  } as EndpointSlice
}

function contextWith(ipvs: object = {}): NodeContext {
  const node = {
    kind: 'Node',
    metadata: { name: 'node-a' },
    status: { addresses: [{ type: 'InternalIP', address: '192.168.0.2' }] },
  } as const
  const context = contextsOf({ node, configuration: { kind: 'KubeProxyConfiguration', ipvs } } as Parameters<typeof contextsOf>[0]).find(
    ({ family }) => family === 'ipv4',
  )
  if (context === undefined) throw new Error('the node has no IPv4')
  return context
}

interface Started {
  readonly cluster: Cluster
  readonly state: IpvsState
  readonly memory: Memory
  readonly context: NodeContext
}

function started(context: NodeContext, ...objects: (Service | EndpointSlice)[]): Started {
  const cluster = new Cluster('ipv4', () => {})
  for (const object of objects) applyTo(cluster, { type: 'set', object })
  const state = new IpvsState(cluster)
  const memory = new Memory()
  play(state, memory, context)
  return { cluster, state, memory, context }
}

/** The operations of the next commit in short. */
function next({ cluster, state, memory }: Started, context: NodeContext, ...objects: (Service | EndpointSlice)[]): string[] {
  for (const object of objects) applyTo(cluster, { type: 'set', object })
  return play(state, memory, context).map(operation => {
    if (operation.verb === 'restore') return `${operation.operation.verb} ${operation.operation.chain}`
    const { kind, ...rest } = operation.object
    return `${operation.verb} ${kind} ${Object.values(rest)
      .filter(value => typeof value === 'string')
      .join(' ')}`.trim()
  })
}

describe('a delta is no more than it has to be', () => {
  test('one endpoint more is one destination more on each virtual server', () => {
    const at = started(contextWith(), service('web', '172.30.0.1', { externalIPs: ['203.0.113.7'] }), slice('web', '10.1.0.1'))
    expect(next(at, at.context, slice('web', '10.1.0.1', '10.1.0.2'))).toEqual([
      'add destination -t 172.30.0.1:80 10.1.0.2:8080',
      'add destination -t 203.0.113.7:80 10.1.0.2:8080',
    ])
  })

  test('an address stays as long as one port needs it', () => {
    const two = {
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81 },
      ],
    }
    const at = started(contextWith(), service('web', '172.30.0.1', two))
    expect(next(at, at.context, service('web', '172.30.0.1', { ports: [{ name: 'a', port: 80 }] }))).toEqual([
      'delete entry KUBE-CLUSTER-IP 172.30.0.1,tcp:81',
      'delete virtual server -t 172.30.0.1:81',
    ])
  })

  test('session affinity edits the virtual server, whose connections stay', () => {
    const at = started(contextWith(), service('web', '172.30.0.1'), slice('web', '10.1.0.1'))
    expect(next(at, at.context, service('web', '172.30.0.1', { sessionAffinity: 'ClientIP' }))).toEqual([
      'edit virtual server -t 172.30.0.1:80',
    ])
  })

  test('the first entry of a set brings its rules, the last one takes them', () => {
    const at = started(contextWith(), service('web', '172.30.0.1'))
    const external = service('web', '172.30.0.1', { externalIPs: ['203.0.113.7'] })
    expect(next(at, at.context, external).filter(operation => operation.startsWith('write'))).toEqual(['write KUBE-SERVICES'])
    expect(next(at, at.context, service('web', '172.30.0.1')).filter(operation => operation.startsWith('write'))).toEqual([
      'write KUBE-SERVICES',
    ])
  })
})

test('a load-balancer address with source ranges has a rule of its own, beside those of others', () => {
  const limited = (name: string, number: number): Service => ({
    ...service(name, `172.30.0.${number}`, { type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.0/24'] }),
    status: { loadBalancer: { ingress: [{ ip: `203.0.113.${number}` }] } },
  })
  const at = started(contextWith(), limited('a', 10))
  const rules = (name: string): readonly string[] => at.memory.chains.filter.get(name) ?? []
  expect(next(at, at.context, limited('b', 11))).toContain('append KUBE-IPVS-OUT-FILTER')
  expect(rules('KUBE-IPVS-OUT-FILTER')).toEqual([
    '-s 203.0.113.10 -m ipvs --vaddr 203.0.113.10 --vproto tcp --vport 80 -j DROP',
    '-s 203.0.113.11 -m ipvs --vaddr 203.0.113.11 --vproto tcp --vport 80 -j DROP',
  ])
  at.cluster.deleteService('shop', 'a')
  const operations = next(at, at.context)
  expect(operations).toContain('remove KUBE-IPVS-OUT-FILTER')
  expect(operations.filter(operation => operation.startsWith('write'))).toEqual([])
  expect(rules('KUBE-IPVS-OUT-FILTER')).toEqual(['-s 203.0.113.11 -m ipvs --vaddr 203.0.113.11 --vproto tcp --vport 80 -j DROP'])
})

describe('virtual servers', () => {
  test('whose address is in excludeCIDRs stay when nobody wants them, and are taken over by the next who does', () => {
    const excluding = contextWith({ excludeCIDRs: ['203.0.113.0/24'] })
    const external = service('web', '172.30.0.1', { externalIPs: ['203.0.113.7'] })
    const at = started(excluding, external, slice('web', '10.1.0.1'))
    expect(next(at, excluding, service('web', '172.30.0.1'))).not.toContain('delete virtual server -t 203.0.113.7:80')
    const shared = { ...external, spec: { ...external.spec, sessionAffinity: 'ClientIP' } } as Service
    expect(next(at, excluding, shared, slice('web', '10.1.0.2'))).toEqual(
      expect.arrayContaining([
        'edit virtual server -t 203.0.113.7:80',
        'add destination -t 203.0.113.7:80 10.1.0.2:8080',
        'delete destination -t 203.0.113.7:80 10.1.0.1:8080',
      ]),
    )
    next(at, excluding, service('web', '172.30.0.1'))
    expect(next(at, contextWith())).toEqual(['delete virtual server -t 203.0.113.7:80'])
  })

  test('that two services claim are as in a full render, whoever comes and goes', () => {
    const context = contextWith()
    const nodePort = (name: string): Service =>
      service(name, name === 'a' ? '172.30.0.1' : '172.30.0.3', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] })
    const external = service('b', '172.30.0.2', { externalIPs: ['192.168.0.2'], ports: [{ port: 30_080 }] })
    const at = started(context, nodePort('a'), slice('a', '10.1.0.1'), slice('b', '10.1.0.2'), slice('c', '10.1.0.3'))
    const full = (): unknown =>
      ipvsContents(
        context,
        at.cluster.keys().flatMap(key => at.cluster.views(key, context)),
      )
    const destinations = (): string[] => [...(at.memory.virtualServers.get('-t 192.168.0.2:30080')?.destinations.keys() ?? [])]
    const steps: readonly (readonly [() => void, string])[] = [
      [() => at.cluster.setService(external), '10.1.0.2:8080'],
      [() => at.cluster.setSlice(slice('b', '10.1.0.4')), '10.1.0.4:8080'],
      [() => at.cluster.setSlice(slice('a', '10.1.0.5')), '10.1.0.4:8080'],
      [() => at.cluster.deleteService('shop', 'b'), '10.1.0.5:8080'],
      [() => at.cluster.setService(external), '10.1.0.4:8080'],
      [() => at.cluster.deleteService('shop', 'a'), '10.1.0.4:8080'],
      [() => at.cluster.setService(nodePort('c')), '10.1.0.3:8080'],
      [() => at.cluster.deleteService('shop', 'c'), '10.1.0.4:8080'],
    ]
    for (const [step, wanted] of steps) {
      step()
      next(at, context)
      expect(destinations()).toEqual([wanted])
      expect(at.memory.contents()).toEqual(full())
    }
  })
})
