import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import { printTable } from '../../src/nft/table-text.ts'
import type { Snapshot } from '../../src/snapshot/types.ts'
import { node, service, slice, sliceEndpoint, snapshot } from '../support/objects.ts'
import { applyIn, type GoalOptions, goalOf, listing, missing, Namespace, nftOf, tables } from './machine.ts'

const NODE = node({ addresses: ['192.168.0.2', 'fd00::2'], podCIDRs: ['10.1.0.0/24'] })

/** A bit of everything in both families: affinity, source ranges, policies, node ports, a service without endpoints, UDP. */
function cluster(endpoints: readonly string[] = ['10.1.0.1', '10.1.1.1', '10.1.2.1']): Snapshot {
  const local = endpoints.map((address, index) => sliceEndpoint(address, { node: index === 0 ? 'node-a' : 'node-b' }))
  return snapshot({
    nodes: [NODE],
    services: [
      service(),
      service({ name: 'sticky', clusterIP: '172.30.0.42', sessionAffinity: 'ClientIP' }),
      service({
        name: 'shop',
        clusterIP: '172.30.0.43',
        type: 'LoadBalancer',
        ingress: [{ ip: '203.0.113.7' }],
        externalTrafficPolicy: 'Local',
        loadBalancerSourceRanges: ['192.0.2.0/24', '198.51.100.0/24'],
        ports: [{ port: 80, protocol: 'TCP', nodePort: 30_080 }],
      }),
      service({ name: 'dns', clusterIP: '172.30.0.44', ports: [{ port: 53, protocol: 'UDP' }] }),
      service({ name: 'empty', clusterIP: '172.30.0.45' }),
      service({ name: 'six', clusterIP: 'fd00:30::41', ipFamilies: ['IPv6'] }),
    ],
    endpointSlices: [
      slice({ endpoints: local }),
      slice({ name: 'sticky-a', of: 'sticky', endpoints: local }),
      slice({ name: 'shop-a', of: 'shop', endpoints: local }),
      slice({ name: 'dns-a', of: 'dns', ports: [{ name: '', port: 53, protocol: 'UDP' }], endpoints: local }),
      slice({ name: 'six-a', of: 'six', addressType: 'IPv6', endpoints: ['fd00:1::1', 'fd00:1::2'] }),
    ],
  })
}

describe.skipIf(missing !== undefined)(`apply in the kernel${missing === undefined ? '' : ` (${missing})`}`, () => {
  let machine: Namespace
  let fresh: Namespace
  beforeAll(async () => {
    ;[machine, fresh] = await Promise.all([Namespace.start('machine'), Namespace.start('fresh')])
  })
  afterAll(() => Promise.all([machine?.end(), fresh?.end()]))
  beforeEach(() => machine.must(['nft', 'flush', 'ruleset']))

  const load = (script: string): Promise<string> => machine.must(['nft', '-f', '-'], script)

  /** One apply ends in what was asked for, and a second one finds nothing to do and touches nothing. */
  async function expectArrival(wanted: Snapshot, options?: GoalOptions): Promise<void> {
    const goal = goalOf(wanted, options)
    const { outcome, plan } = await applyIn(machine, goal)
    expect(outcome).toBe('applied')
    await fresh.must(['nft', 'flush', 'ruleset'])
    for (const { family, table, fragment } of plan.rulesets)
      await fresh.must(['nft', '-f', '-'], printTable(fragment, { family, table }, goal.layout.tableComment))
    expect(await tables(machine, goal.layout.table)).toEqual(await tables(fresh, goal.layout.table))
    const after = await listing(machine)
    expect((await applyIn(machine, goal)).outcome).toBe('unchanged')
    expect(await listing(machine)).toBe(after)
  }

  test.each(['maps', 'kube-proxy-1.36', 'kube-proxy-1.37'] as const)(
    'layout %s: from nothing, from an older snapshot and back',
    async layout => {
      await expectArrival(cluster(), { layout })
      await expectArrival(cluster(['10.1.0.1', '10.1.2.1', '10.1.3.1', '10.1.4.1']), { layout })
      await expectArrival(cluster([]), { layout })
      await expectArrival(cluster(), { layout })
    },
  )

  test('kube-proxy-1.36 from a table that 1.34 wrote', async () => {
    await applyIn(machine, goalOf(cluster(), { layout: 'kube-proxy-1.34' }))
    await expectArrival(cluster(), { layout: 'kube-proxy-1.36' })
  })

  test('maps from a table of that name with another layout in it', async () => {
    const { plan } = await applyIn(machine, goalOf(cluster(), { layout: 'kube-proxy-1.36' }))
    await machine.must(['nft', 'flush', 'ruleset'])
    for (const { family, fragment } of plan.rulesets) await load(printTable(fragment, { family, table: 'kubenft' }, 'older'))
    await expectArrival(cluster())
  })

  const DRIFTS: readonly (readonly [string, string])[] = [
    ['an element removed', 'delete element ip kubenft cluster-ips { 172.30.0.41 }'],
    [
      'an element that leads elsewhere',
      'delete element ip kubenft service-ips { 172.30.0.41 . tcp . 80 }; add element ip kubenft service-ips { 172.30.0.41 . tcp . 80 : drop }',
    ],
    ['a slot in the middle removed', 'delete element ip kubenft tcp-endpoints { 172.30.0.41 . 80 . 1 }'],
    ['an endpoint that nobody asked for', 'add element ip kubenft tcp-endpoints { 172.30.0.41 . 80 . 3 : 10.9.9.9 . 80 }'],
    ['a chain flushed', 'flush chain ip kubenft services'],
    ['a shared chain flushed', 'flush chain ip kubenft tcp-3'],
    ['a rule added', 'add rule ip kubenft masquerading counter accept'],
    ['a rule inserted', 'insert rule ip kubenft services ip daddr 172.30.0.41 drop'],
    [
      'a chain added, and used',
      'add chain ip kubenft mine; add rule ip kubenft mine drop; add element ip kubenft service-ips { 172.30.0.99 . tcp . 80 : goto mine }',
    ],
    ['a base chain added', 'add chain ip kubenft mine { type filter hook input priority 5; policy drop; }'],
    [
      'a base chain moved',
      'flush chain ip kubenft filter-input; delete chain ip kubenft filter-input; add chain ip kubenft filter-input { type filter hook input priority 7; }',
    ],
    [
      'a set added, and used',
      'add set ip kubenft mine { type ipv4_addr; flags interval; elements = { 10.0.0.0/8, 192.0.2.1-192.0.2.7 } }; add rule ip kubenft services ip saddr @mine drop',
    ],
    ['one family’s table deleted', 'delete table ip6 kubenft'],
    ['both tables deleted', 'delete table ip kubenft; delete table ip6 kubenft'],
    ['an empty table', 'delete table ip kubenft; add table ip kubenft'],
    ['the mark of apply removed', 'delete set ip kubenft kubenft-applied; flush chain ip kubenft services'],
  ]

  test.each(DRIFTS)('drift: %s', async (_, script) => {
    await applyIn(machine, goalOf(cluster()))
    await load(`${script}\n`)
    await expectArrival(cluster())
  })

  test('objects of kinds that kubenft does not write stay, the rules that use them go', async () => {
    const goal = goalOf(cluster())
    await applyIn(machine, goal)
    await load('add counter ip kubenft mine; add rule ip kubenft services counter name mine\n')
    await applyIn(machine, goal)
    expect(await machine.must(['nft', 'list', 'chain', 'ip', 'kubenft', 'services'])).not.toContain('mine')
    expect((await applyIn(machine, goal)).outcome).toBe('unchanged')
  })

  test('tables of others are neither read nor touched', async () => {
    await load(
      'add table ip mine; add chain ip mine c { type filter hook input priority 3; }; add rule ip mine c counter; add table inet kubenft\n',
    )
    const others = await machine.must(['nft', 'list', 'table', 'ip', 'mine'])
    await applyIn(machine, goalOf(cluster()))
    await applyIn(machine, goalOf(cluster(['10.1.0.9'])))
    expect(await machine.must(['nft', 'list', 'table', 'ip', 'mine'])).toBe(others)
    expect(await machine.must(['nft', 'list', 'table', 'inet', 'kubenft'])).toBe('table inet kubenft {\n}\n')
  })

  test('an old kernel’s chains are emptied, and deleted by the next apply', async () => {
    const kernel = '5.15.0-91-generic'
    await applyIn(machine, goalOf(cluster(), { kernel }))
    const shrunk = cluster(['10.1.0.1'])
    const { plan } = await applyIn(machine, goalOf(shrunk, { kernel }))
    expect(plan.tables.flatMap(({ deferred }) => [...deferred])).toContain('tcp-3')
    expect(await machine.must(['nft', 'list', 'chain', 'ip', 'kubenft', 'tcp-3'])).toContain('chain tcp-3 {\n\t}')
    await expectArrival(shrunk, { kernel })
  })

  test('the clients that session affinity remembers are no drift', async () => {
    const goal = goalOf(cluster())
    await applyIn(machine, goal)
    const set = /set (affinity-[^ ]+)/.exec(await listing(machine))?.[1]
    expect(set).toBeDefined()
    await load(`add element ip kubenft ${set} { 192.0.2.1 timeout 1h }\n`)
    expect((await applyIn(machine, goal)).outcome).toBe('unchanged')
  })

  test('both tables change in one transaction', async () => {
    const scripts: string[] = []
    const nft = nftOf(machine)
    await applyIn(machine, goalOf(cluster()), {
      nft: (args, script) => {
        if (args[0] === '-f') scripts.push(script ?? '')
        return nft(args, script)
      },
    })
    expect(scripts).toHaveLength(1)
    for (const path of ['ip', 'ip6']) expect(scripts[0]).toContain(`add table ${path} ${LAYOUTS.maps.table}`)
  })
})
