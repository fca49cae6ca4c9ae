import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flowKey, parseConntrack } from '../../lab/conntrack.ts'
import { lacking } from '../../lab/lacking.ts'
import type { Flow } from '../../lab/protocol.ts'
import { World } from '../../lab/world.ts'
import { cleanConntrack } from '../../src/apply/conntrack.ts'
import type { Run } from '../../src/apply/preflight/run.ts'
import type { Change } from '../../src/delta/change.ts'
import { NodeRules, type Transaction } from '../../src/delta/node-rules.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { maps } from '../../src/nft/layouts/maps.ts'
import { printScript } from '../../src/nft/print.ts'
import { configuration, node, service, slice, snapshot } from '../support/objects.ts'
import { runIn } from './run-in.ts'

const reason = process.env['CI'] === undefined ? lacking() : undefined
const OPTIONS = { configuration: configuration({ mode: 'nftables' }), report: () => {} }

const ADDRESSES = {
  ipv4: {
    addressType: 'IPv4',
    node: '192.0.2.11',
    client: '10.244.1.9',
    old: '10.244.1.51',
    fresh: '10.244.1.52',
    clusterIP: '172.30.0.10',
    other: '172.30.0.77',
    externalIP: '198.51.100.7',
    loadBalancer: '203.0.113.9',
    outside: ['198.51.100.0/24', '203.0.113.0/24'],
  },
  ipv6: {
    addressType: 'IPv6',
    node: '2001:db8::11',
    client: 'fd00:10:244:1::9',
    old: 'fd00:10:244:1::33',
    fresh: 'fd00:10:244:1::34',
    clusterIP: 'fd00:172:30::a',
    other: 'fd00:172:30::4d',
    externalIP: '2001:db8:7::7',
    loadBalancer: '2001:db8:9::9',
    outside: ['2001:db8:7::/64', '2001:db8:9::/64'],
  },
} as const

describe.skipIf(reason !== undefined).each(['ipv4', 'ipv6'] as const)(
  `UDP flows in %s${reason === undefined ? '' : ` (${reason})`}`,
  family => {
    const at = ADDRESSES[family]
    const ports = [{ name: '', port: 8080, protocol: 'UDP' as const }]
    const endpoints = (of: string, ...addresses: string[]): Change => ({
      type: 'set',
      object: slice({ name: `${of}-a`, of, addressType: at.addressType, ports, endpoints: addresses }),
    })
    const dns = service({
      name: 'dns',
      type: 'LoadBalancer',
      clusterIP: at.clusterIP,
      externalIPs: [at.externalIP],
      ports: [{ port: 53, protocol: 'UDP', nodePort: 30053 }],
      ingress: [{ ip: at.loadBalancer }],
    })
    const other = service({ name: 'other', clusterIP: at.other, ports: [{ port: 53, protocol: 'UDP' }] })
    const flow = (to: string, port: number, fromPort: number): Flow => ({ protocol: 'udp', from: at.client, fromPort, to, port })
    const flows = [flow(at.clusterIP, 53, 4001), flow(at.externalIP, 53, 4002), flow(at.loadBalancer, 53, 4003), flow(at.node, 30053, 4004)]
    const otherFlow = flow(at.other, 53, 4005)
    const context = nodeContexts({
      snapshot: snapshot({ nodes: [node({ addresses: [at.node] })] }),
      host: undefined,
      nodeName: undefined,
      ...OPTIONS,
    })

    let world: World
    let rules: NodeRules
    let run: Run
    let commands: string[]

    beforeAll(async () => {
      world = await World.create({
        nodeAddresses: [at.node],
        hosts: [
          { name: 'client', device: 'veth0', addresses: [at.client] },
          { name: 'old', device: 'veth1', addresses: [at.old] },
          { name: 'fresh', device: 'veth2', addresses: [at.fresh] },
          { name: 'outside', device: 'veth3', addresses: [], routes: at.outside },
        ],
      })
      for (const name of ['old', 'fresh'] as const)
        await world.host(name).call('serve', [{ protocol: 'udp', address: at[name], port: 8080 }])
      const inside = runIn(world.node)
      commands = []
      run = (command, args, options) => {
        commands.push(command)
        return inside(command, args, options)
      }
      rules = new NodeRules({ layout: maps, ...OPTIONS })
    })
    afterAll(() => world?.close())

    async function apply(...changes: Change[]): Promise<Transaction[]> {
      const transactions = rules.apply(changes)
      for (const transaction of transactions) await world.node.must(['nft', '-f', '-'], printScript(transaction.operations, transaction))
      return transactions
    }

    async function clean(transactions: readonly Transaction[]): Promise<{ deleted: number; processes: number }> {
      commands.length = 0
      const { deleted, problems } = await cleanConntrack({
        run,
        families: transactions.map(({ changes }) => ({ node: context[0]!, changes })),
      })
      expect(problems).toEqual([])
      return { deleted, processes: commands.length }
    }

    /** Who answers each flow after a packet of each; undefined: the flow is not known. */
    async function send(...sent: readonly Flow[]): Promise<(string | undefined)[]> {
      await world.host('client').call('send', { flows: sent, linger: 100 })
      return known(...sent)
    }

    async function known(...asked: readonly Flow[]): Promise<(string | undefined)[]> {
      const tracked = parseConntrack(await world.node.call('conntrack', null))
      return asked.map(each => tracked.get(flowKey(each))?.answeredBy)
    }

    const all = (answer: string | undefined): (string | undefined)[] => flows.map(() => answer)

    test('that went past a service before it had endpoints reach it', async () => {
      // The service cannot be there yet: its addresses would be refused, and nothing tracked.
      await apply({ type: 'set', object: node({ addresses: [at.node] }) })
      const outside = [flows[1]!, flows[2]!]
      expect(await send(...outside)).toEqual([at.externalIP, at.loadBalancer])
      const transactions = await apply(
        { type: 'set', object: dns },
        { type: 'set', object: other },
        endpoints('dns', at.old),
        endpoints('other', at.old),
      )
      expect(await send(...outside)).toEqual([at.externalIP, at.loadBalancer])
      expect(await clean(transactions)).toEqual({ deleted: 2, processes: 2 })
      expect(await send(...outside)).toEqual([at.old, at.old])
    })

    test('reach the new endpoint when theirs is replaced, at every address; the other service’s flow is left alone', async () => {
      expect(await send(...flows, otherFlow)).toEqual([...all(at.old), at.old])
      const transactions = await apply(endpoints('dns', at.fresh))
      expect(await send(...flows)).toEqual(all(at.old))
      expect(await clean(transactions)).toEqual({ deleted: 4, processes: 2 })
      expect(await known(...flows, otherFlow)).toEqual([...all(undefined), at.old])
      expect(await send(...flows)).toEqual(all(at.fresh))
      expect(await clean(transactions)).toEqual({ deleted: 0, processes: 1 })
      expect(await known(...flows)).toEqual(all(at.fresh))
    })

    test('stay where they are when an endpoint is added', async () => {
      expect(await clean(await apply(endpoints('dns', at.fresh, at.old)))).toEqual({ deleted: 0, processes: 1 })
      expect(await send(...flows)).toEqual(all(at.fresh))
    })

    test('end when the service has no endpoint left', async () => {
      await clean(await apply(endpoints('dns', at.fresh)))
      const transactions = await apply(endpoints('dns'))
      expect(await send(...flows)).toEqual(all(at.fresh))
      expect((await clean(transactions)).deleted).toBe(4)
      expect(await send(...flows)).toEqual(all(undefined))
      expect(await known(otherFlow)).toEqual([at.old])
    })

    test('end when the service is deleted', async () => {
      await clean(await apply(endpoints('dns', at.fresh)))
      expect(await send(...flows)).toEqual(all(at.fresh))
      const transactions = await apply({ type: 'delete', kind: 'Service', namespace: 'shop', name: 'dns' })
      expect((await clean(transactions)).deleted).toBe(4)
      expect(await known(...flows, otherFlow)).toEqual([...all(undefined), at.old])
    })

    test('an old conntrack, which knows no command files, deletes one by one', async () => {
      const old: Run = (command, args, options) =>
        run(
          command,
          command === 'sh' ? ['-c', `conntrack() { [ "$1" != -R ] || return 2; command conntrack "$@"; }\n${args[1]}`] : args,
          options,
        )
      expect(await send(otherFlow)).toEqual([at.old])
      const transactions = await apply(endpoints('other', at.fresh))
      const families = transactions.map(({ changes }) => ({ node: context[0]!, changes }))
      expect(await cleanConntrack({ run: old, families })).toEqual({ deleted: 1, problems: [] })
      expect(await send(otherFlow)).toEqual([at.fresh])
    })
  },
)

describe('without the program', () => {
  const changes = [{ before: undefined, after: undefined }]
  const context = nodeContexts({ snapshot: snapshot(), host: undefined, nodeName: undefined, ...OPTIONS })[0]!
  const [transaction] = new NodeRules({ layout: maps, ...OPTIONS }).apply([
    { type: 'set', object: node() },
    { type: 'set', object: service({ ports: [{ port: 53, protocol: 'UDP' }] }) },
  ])
  const udp = { node: context, changes: transaction!.changes }

  test('says so once and goes on', async () => {
    const { deleted, problems } = await cleanConntrack({
      run: async () => ({ code: 127, signal: null, stdout: '', stderr: '' }),
      families: [udp, udp],
    })
    expect(deleted).toBe(0)
    expect(problems.map(({ severity, summary }) => [severity, summary])).toEqual([
      ['warning', 'the program conntrack is missing, stale UDP flows stay'],
    ])
  })

  test('a listing that fails, or is cut off by a signal, is no empty table', async () => {
    for (const ended of [
      { code: 1, signal: null },
      { code: null, signal: 'SIGKILL' },
    ]) {
      const { problems } = await cleanConntrack({
        run: async () => ({ ...ended, stdout: '', stderr: 'no\nnetlink socket' }),
        families: [udp],
      })
      expect(problems).toHaveLength(1)
      expect(problems[0]?.detail).toContain('netlink socket')
    }
  })

  test('more stale places than can be told apart in reasonable time: everything is forgotten, and that is said', async () => {
    const entry = (i: number): string =>
      `udp 17 29 src=10.0.0.1 dst=172.30.0.41 sport=${i} dport=53 src=10.1.${i >> 8}.${i & 255} dst=10.0.0.1 sport=53 dport=${i} mark=0 use=1\n`
    const ran: string[] = []
    const { problems } = await cleanConntrack({
      run: async (command, args) => {
        ran.push([command, ...args].join(' '))
        return { code: 0, signal: null, stdout: Array.from({ length: 5000 }, (_, i) => entry(i)).join(''), stderr: '' }
      },
      families: [{ node: context, changes: [{ before: transaction!.changes[0]!.after, after: undefined }] }],
    })
    expect(ran).toEqual(['conntrack -L -f ipv4 -p udp', 'conntrack -D -f ipv4 -p udp'])
    expect(problems.map(({ summary }) => summary)).toEqual(['all ipv4 UDP flows were forgotten, not only the stale ones'])
  })

  test('nothing is run when no UDP service is concerned', async () => {
    const run: Run = () => Promise.reject(new Error('not to be run'))
    expect(await cleanConntrack({ run, families: [{ node: context, changes }] })).toEqual({ deleted: 0, problems: [] })
  })
})
