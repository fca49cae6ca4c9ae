import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { because } from '../../src/delta/explain.ts'
import { printRestore, type Ruleset } from '../../src/iptables/index.ts'
import type { EndpointSlice, HostFacts, Service } from '../../src/snapshot/types.ts'
import { history } from '../support/arbitraries.ts'
import { host } from './clusters.ts'
import { MemoryTables } from './memory.ts'
import { type History, play } from './play.ts'

function contents(ruleset: Ruleset): Record<string, readonly string[]> {
  return Object.fromEntries([...ruleset].flatMap(([table, chains]) => [...chains].map(([name, { rules }]) => [`${table} ${name}`, rules])))
}

describe('random histories', () => {
  const cases = fc.tuple(history, host, fc.constantFrom('ipv4' as const, 'ipv6' as const))

  test('deltas applied one by one give the full render, and never write what is so already', () => {
    fc.assert(
      fc.property(cases, ([rounds, facts, family]) => {
        const tables = new MemoryTables()
        for (const { operations, full } of play({ ...rounds, host: facts }, family)) {
          const before = tables.contents()
          for (const { verb, table, chain, rules, origins } of operations) {
            const found = before[`${table} ${chain}`]
            if (verb === 'write') expect(found).not.toEqual(rules)
            else expect(found).toBeDefined()
            expect(origins.length).toBeGreaterThan(0)
          }
          tables.restore(printRestore(operations))
          expect(tables.contents()).toEqual(contents(full))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a removal leaves nothing', () => {
    fc.assert(
      fc.property(cases, ([rounds, facts, family]) => {
        const tables = new MemoryTables()
        const steps = play({ ...rounds, host: facts }, family)
        for (const { operations } of steps) tables.restore(printRestore(operations))
        tables.restore(printRestore(steps.at(-1)?.state.remove() ?? []))
        expect(tables.contents()).toEqual(new MemoryTables().contents())
      }),
      { numRuns: 30 },
    )
  })
})

const HOST: HostFacts = { nodeName: 'node-a', families: ['IPv4'], interfaces: [], nfacct: [] }
const BASE: Omit<History, 'rounds'> = {
  node: { kind: 'Node', metadata: { name: 'node-a' } },
  configuration: { kind: 'KubeProxyConfiguration', clusterCIDR: '10.0.0.0/8' },
  host: HOST,
}

const service = (name: string, clusterIP: string): Service => ({
  kind: 'Service',
  metadata: { name, namespace: 'shop' },
  spec: {
    type: 'ClusterIP',
    clusterIP,
    clusterIPs: [clusterIP],
    ipFamilies: ['IPv4'],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  },
})

const slice = (owner: string, addresses: readonly string[]): EndpointSlice => ({
  kind: 'EndpointSlice',
  metadata: { name: owner, namespace: 'shop', labels: { 'kubernetes.io/service-name': owner } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints: addresses.map(address => ({ addresses: [address], conditions: { ready: true } })),
})

test('an endpoint costs the chains of its service port and says which it is', () => {
  const steps = play(
    {
      ...BASE,
      rounds: [
        [
          { type: 'set', object: service('web', '172.30.0.1') },
          { type: 'set', object: service('api', '172.30.0.2') },
          { type: 'set', object: slice('web', ['10.1.0.1']) },
          { type: 'set', object: slice('api', ['10.1.0.2']) },
        ],
        [{ type: 'set', object: slice('web', ['10.1.0.1', '10.1.0.3']) }],
        [{ type: 'set', object: slice('web', ['10.1.0.1', '10.1.0.3']) }],
        [{ type: 'set', object: slice('web', ['10.1.0.3']) }],
        [{ type: 'set', object: slice('web', []) }],
      ],
    },
    'ipv4',
  )
  const shown = steps.slice(2).map(({ operations }) => operations.map(({ verb, chain }) => `${verb} ${chain.replace(/[A-Z0-9]{16}$/, '')}`))
  expect(shown).toEqual([
    ['write KUBE-SVC-', 'write KUBE-SEP-'],
    [],
    ['write KUBE-SVC-', 'delete KUBE-SEP-'],
    ['delete KUBE-SVC-', 'delete KUBE-SEP-', 'write KUBE-SERVICES', 'write KUBE-SERVICES'],
  ])
  expect(printRestore(steps[2]?.operations ?? [], ({ origins }) => because(origins)).split('\n')).toEqual([
    '*nat',
    '# Service shop/web port http: endpoint 10.1.0.3:8080 added',
    expect.stringMatching(/^:KUBE-SVC-[A-Z0-9]{16} - \[0:0\]$/),
    '# Service shop/web port http: endpoint 10.1.0.3:8080 added',
    expect.stringMatching(/^:KUBE-SEP-[A-Z0-9]{16} - \[0:0\]$/),
    ...Array.from({ length: 5 }, () => expect.stringMatching(/^-A KUBE-S/)),
    'COMMIT',
    '',
  ])
})

test('a cluster that becomes large loses its comments per endpoint, and has them again when it shrinks', () => {
  const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `10.1.${index >> 8}.${index & 255}`)
  const steps = play(
    {
      ...BASE,
      rounds: [
        [
          { type: 'set', object: service('web', '172.30.0.1') },
          { type: 'set', object: service('api', '172.30.0.2') },
          { type: 'set', object: slice('web', ['10.2.0.1']) },
          { type: 'set', object: slice('api', many(999)) },
        ],
        [{ type: 'set', object: slice('api', many(1000)) }],
        [{ type: 'set', object: slice('api', many(999)) }],
      ],
    },
    'ipv4',
  )
  const tables = new MemoryTables()
  const commented = steps.slice(1).map(({ operations, full }, index) => {
    if (index === 0) tables.restore(printRestore(steps[0]?.operations ?? []))
    tables.restore(printRestore(operations))
    expect(tables.contents()).toEqual(contents(full))
    const rules = Object.entries(tables.contents()).filter(([name]) => /KUBE-(SVC|SEP)-/.test(name))
    return rules.flatMap(([, list]) => list).filter(rule => rule.includes('--comment') && !rule.includes('cluster IP')).length
  })
  expect(commented).toEqual([3000, 0, 3000])
})
