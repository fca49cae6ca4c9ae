import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacking } from '../../lab/lacking.ts'
import { World } from '../../lab/world.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const reason = process.env['CI'] === undefined ? lacking() : undefined

describe.skipIf(reason !== undefined)(`a world of namespaces${reason === undefined ? '' : ` (${reason})`}`, () => {
  let world: World
  beforeAll(async () => {
    world = await World.create({
      nodeAddresses: ['192.0.2.11', '2001:db8::11'],
      hosts: [
        { name: 'pod', device: 'veth0', addresses: ['10.244.1.9', 'fd00:10:244:1::9'] },
        { name: 'endpoint', device: 'veth1', addresses: ['10.244.1.51', 'fd00:10:244:1::33'] },
      ],
    })
  })
  afterAll(() => world?.close())

  test.each(['tcp', 'udp'] as const)('%s servers answer with their endpoint and the client that they see', async protocol => {
    const endpoint = world.host('endpoint')
    const listeners = ['10.244.1.51', 'fd00:10:244:1::33'].map(address => ({ protocol, address, port: 8080 }))
    await endpoint.call('serve', listeners)
    expect(await world.host('pod').call('probe', { probes: listeners, timeout: 2000 })).toEqual([
      { outcome: 'answered', endpoint: '10.244.1.51:8080', source: '10.244.1.9' },
      { outcome: 'answered', endpoint: '[fd00:10:244:1::33]:8080', source: 'fd00:10:244:1::9' },
    ])
    expect(await world.host('pod').call('probe', { probes: [{ protocol, address: '10.244.1.51', port: 9 }], timeout: 2000 })).toEqual([
      { outcome: 'refused' },
    ])
  })

  test('a dropped packet is a timeout, a rejected one a refusal, from elsewhere and from the node itself', async () => {
    await world.node.must(
      ['nft', '-f', '-'],
      ['forward', 'output']
        .map(hook => `table inet ${hook} { chain c { type filter hook ${hook} priority 0; th dport 1 drop; th dport 2 reject; }; }\n`)
        .join(''),
    )
    const probes = (['tcp', 'udp'] as const).flatMap(protocol =>
      ['10.244.1.51', 'fd00:10:244:1::33'].flatMap(address => [1, 2].map(port => ({ protocol, address, port }))),
    )
    const wanted = probes.map(({ port }) => (port === 1 ? 'timeout' : 'refused'))
    const clients = [world.host('pod'), world.node]
    const results = await Promise.all(clients.map(client => client.call('probe', { probes, timeout: 1500 })))
    expect(results.map(result => result.map(({ outcome }) => outcome))).toEqual([wanted, wanted])
  })

  test('errors name the namespace', async () => {
    await expect(world.host('pod').must(['ip', 'link', 'show', 'nothing'])).rejects.toThrow(
      /^namespace pod: ip link show nothing failed \(1\)/,
    )
    await expect(world.host('pod').call('serve', [{ protocol: 'tcp', address: '10.9.9.9', port: 1 }])).rejects.toThrow(
      /^namespace pod: .*10\.9\.9\.9/,
    )
  })

  test('nothing is left when the process that made it is killed', async () => {
    const demo = spawn(process.execPath, ['--import', 'tsx', 'lab/demo.ts'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
    const pid = demo.pid as number
    for await (const chunk of demo.stdout) if (String(chunk).includes('network namespaces')) break
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    expect(children.length).toBeGreaterThan(10)
    demo.kill('SIGKILL')
    while (children.some(child => existsSync(`/proc/${child}`))) await sleep(20)
  })

  test('the demo shows every kind of answer', async () => {
    const demo = spawn(process.execPath, ['--import', 'tsx', 'lab/demo.ts'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    for await (const chunk of demo.stdout) text += chunk
    const rows = text.split('\n').map(line => line.split(/ {2,}/))
    const found = (from: string, service: string): (readonly string[])[] =>
      rows.filter(([client, port]) => client === from && port === service).map(row => row.slice(-2))
    expect(found('pod', 'shop/payments:https').map(([, answer]) => answer)).toEqual(['refused', 'refused'])
    expect(found('stranger', 'shop/admin:https').map(([, answer]) => answer)).toEqual(['timeout', 'timeout'])
    expect(found('office', 'shop/storefront:http')).toEqual([
      ['10.244.1.111:8080', 'itself'],
      ['[fd00:10:244:1::6f]:8080', 'itself'],
    ])
    expect(found('pod', 'monitoring/log-collector:syslog')).toEqual([
      ['10.244.1.20:5514', 'itself'],
      ['[fd00:10:244:1::14]:5514', 'itself'],
    ])
    expect(found('office', 'shop/checkout:http').map(([, source]) => source)).toEqual([
      '192.0.2.11 (masqueraded)',
      '2001:db8::11 (masqueraded)',
    ])
    expect(found('pod', 'shop/catalog:http').map(([answer]) => answer?.replace(/ and \d+ others/, ''))).toEqual([
      '10.244.1.51:8080',
      '[fd00:10:244:1::33]:8080',
      '10.244.1.57:8080',
      '[fd00:10:244:1::39]:8080',
    ])
  })
})
