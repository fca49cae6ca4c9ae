import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { World } from '../../lab/world.ts'
import type { Snapshot } from '../../src/snapshot/types.ts'
import { node, service, slice, snapshot } from '../support/objects.ts'
import { applyIn, goalOf, missing } from './machine.ts'

const CLUSTER_IP = '172.30.0.41'
const POD = '10.1.0.250'
const ENDPOINTS = ['10.1.1.1', '10.1.1.2', '10.1.1.3', '10.1.1.4', '10.1.1.5']

/** shop/web with these endpoints; `others` more services beside it. */
function cluster(endpoints: readonly string[], others = 0): Snapshot {
  const names = Array.from({ length: others }, (_, index) => `other-${index}`)
  return snapshot({
    nodes: [node({ podCIDRs: ['10.1.0.0/24'] })],
    services: [service(), ...names.map((name, index) => service({ name, clusterIP: `172.30.1.${index + 1}` }))],
    endpointSlices: [slice({ endpoints }), ...names.map(name => slice({ name: `${name}-a`, of: name, endpoints: ['10.1.9.9'] }))],
  })
}

/** Echoes lines until the connection closes, then ends. Ends by itself after a minute. */
const ECHO = `require('net').createServer(s => s.pipe(s).on('close', () => process.exit())).listen(9000, process.argv[1]); setTimeout(() => process.exit(), 60000)`

/** Sends a line and waits for its echo, again and again, until a file appears; prints how many came back. */
const TALK = `
const s = require('net').connect(80, process.argv[1]).setEncoding('utf8'); let count = 0
const fail = error => { console.log('failed after ' + count + ': ' + error); process.exit(1) }
s.on('error', fail).on('close', () => fail('closed'))
s.on('connect', () => s.write('x')).on('data', () => {
  count++
  if (require('fs').existsSync(process.argv[2])) { console.log(count); process.exit() }
  setTimeout(() => s.write('x'), 5)
})
setTimeout(() => fail('no echo'), 60000)`

/** Connects, reads to the end, and again, until a file appears; prints how many answers there were from which endpoint, and what failed. */
const CONNECT = `
const net = require('net'), fs = require('fs'); const answers = {}; const failures = []
const once = () => new Promise(done => {
  let text = ''
  const s = net.connect(80, process.argv[1]).setEncoding('utf8').setTimeout(900, () => s.destroy(new Error('timeout')))
  s.on('data', chunk => { text += chunk }).on('error', error => { failures.push(error.message) })
  s.on('close', () => { if (text) { const { endpoint } = JSON.parse(text); answers[endpoint] = (answers[endpoint] ?? 0) + 1 } else failures.push('no answer'); done() })
})
;(async () => { while (!fs.existsSync(process.argv[2])) await once(); console.log(JSON.stringify({ answers, failures })) })()`

describe.skipIf(missing !== undefined)(`connections during applies${missing === undefined ? '' : ` (${missing})`}`, () => {
  let world: World
  let folder: string
  let stop: string
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kubenft-test-'))
    stop = path.join(folder, 'stop')
    world = await World.create({
      nodeAddresses: ['192.168.0.2'],
      hosts: [
        { name: 'pod', device: 'veth0', addresses: [POD] },
        { name: 'endpoints', device: 'veth1', addresses: ENDPOINTS },
      ],
    })
    await world.host('endpoints').call(
      'serve',
      ENDPOINTS.map(address => ({ protocol: 'tcp' as const, address, port: 8080 })),
    )
  })
  afterAll(async () => {
    await world?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    rmSync(stop, { force: true })
    await world.node.must(['nft', 'flush', 'ruleset'])
  })

  const apply = (wanted: Snapshot): ReturnType<typeof applyIn> => applyIn(world.node, goalOf(wanted))

  test('an established one survives changes of other services, endpoints added to its own, and a repair of the whole table', async () => {
    const talking = (endpoints: readonly string[], others?: number): Snapshot => {
      const wanted = cluster(endpoints, others)
      const [own, ...rest] = wanted.endpointSlices
      return { ...wanted, endpointSlices: [{ ...own!, ports: [{ name: '', port: 9000, protocol: 'TCP' }] }, ...rest] }
    }
    await apply(talking([ENDPOINTS[0]!]))
    const echo = world.host('endpoints').run([process.execPath, '-e', ECHO, ENDPOINTS[0]!])
    await sleep(300)
    const talk = world.host('pod').run([process.execPath, '-e', TALK, CLUSTER_IP, stop])
    await sleep(300)
    for (const others of [5, 0, 9]) expect((await apply(talking([ENDPOINTS[0]!], others))).outcome).toBe('applied')
    expect((await apply(talking(ENDPOINTS.slice(0, 2)))).outcome).toBe('applied')
    expect((await apply(talking(ENDPOINTS))).outcome).toBe('applied')
    await world.node.must(['nft', 'delete', 'table', 'ip', 'kubenft'])
    expect((await apply(talking(ENDPOINTS))).outcome).toBe('applied')
    await sleep(100)
    writeFileSync(stop, '')
    const { code, stdout } = await talk
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d{2,}\n$/) })
    await echo
  })

  test('new ones never fail in 50 applies, in each of which an endpoint is replaced and then goes away', async () => {
    const [first, second, ...spare] = ENDPOINTS as [string, string, ...string[]]
    const used = [first, second, spare[0]!]
    const idle = spare.slice(1)
    const host = world.host('endpoints')
    const address = (verb: 'add' | 'delete', ip: string): Promise<string> => host.must(['ip', 'address', verb, `${ip}/32`, 'dev', 'eth0'])
    for (const ip of idle) await address('delete', ip)
    await apply(cluster(used))
    const client = world.host('pod').run([process.execPath, '-e', CONNECT, CLUSTER_IP, stop])
    await sleep(200)
    for (let round = 0; round < 50; round++) {
      const [come, gone] = [idle.shift()!, used[round % used.length]!]
      await address('add', come)
      used[round % used.length] = come
      const { outcome, plan } = await apply(cluster(used))
      expect(outcome).toBe('applied')
      expect(plan.tables.flatMap(({ operations }) => operations.map(({ verb, object }) => `${verb} ${object.kind}`))).toEqual([
        'delete element',
        'add element',
      ])
      // What was connected to it has time to end: an answer takes no longer.
      await sleep(20)
      await address('delete', gone)
      idle.push(gone)
    }
    writeFileSync(stop, '')
    const { stdout } = await client
    const { answers, failures } = JSON.parse(stdout) as { answers: Record<string, number>; failures: string[] }
    expect(failures).toEqual([])
    expect(Object.keys(answers)).toHaveLength(ENDPOINTS.length)
    expect(Object.values(answers).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100)
  })
})
