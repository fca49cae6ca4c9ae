import { dump } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { folderWith, kubenft, list } from '../support/command.ts'
import { node, service, slice } from '../support/objects.ts'

const CONFIGURATION = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', clusterCIDR: '10.1.0.0/16' }
const cluster = (...endpoints: readonly string[]) => list(CONFIGURATION, node(), service(), slice({ endpoints }))

/** The change from two endpoints to two others, one of them the same. */
async function diff(argv: readonly string[] = [], before = cluster('10.1.0.1', '10.1.0.2'), after = cluster('10.1.0.2', '10.1.0.3')) {
  const folder = folderWith({ 'old.json': before, 'new.json': after })
  return kubenft(['diff', `${folder}/old.json`, `${folder}/new.json`, ...argv])
}

const REPLACED = [
  'delete element ip kubenft tcp-endpoints { 172.30.0.41 . 80 . 0 }',
  'add element ip kubenft tcp-endpoints { 172.30.0.41 . 80 . 0 : 10.1.0.3 . 8080 }',
]

test('a replaced endpoint is two operations, and the exit code says that there are some', async () => {
  const { code, stdout } = await diff()
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n').sort()).toEqual([...REPLACED].sort())
})

test('--explain says why, above the commands', async () => {
  const { stdout } = await diff(['--explain'])
  expect(stdout).toContain('# Service shop/web: endpoint 10.1.0.3:8080 added\n# Service shop/web: endpoint 10.1.0.1:8080 removed\n')
})

test.each(['nftables', 'iptables', 'ipvs'])('nothing changed in mode %s: exit code 0 and no output', async mode => {
  const same = cluster('10.1.0.1')
  expect(await diff(['--mode', mode], same, same)).toMatchObject({ code: 0, stdout: '' })
  const unified = await diff(['--mode', mode, '-o', 'unified'], same, same)
  expect(unified).toMatchObject({ code: 0, stdout: '' })
})

test('unified: the two texts, coloured only when asked for', async () => {
  const { code, stdout } = await diff(['-o', 'unified'])
  expect(code).toBe(1)
  expect(stdout).toContain('--- old/ipv4.nft\n+++ new/ipv4.nft\n')
  expect(stdout.split('\n').filter(line => /^[+-]add/.test(line))).toHaveLength(2)
  expect((await diff(['-o', 'unified', '--color', 'always'])).stdout).toContain('\u001b[32m+add element')
})

test('stat: how much it is, beside a partial sync of kube-proxy and a full reload', async () => {
  const { stdout } = await diff(['-o', 'stat'])
  expect(stdout).toContain('1 service touched: shop/web\noperations: 1 delete element, 1 add element\n')
  const bytes = Buffer.byteLength(`${REPLACED.join('\n')}\n`)
  expect(stdout).toMatch(new RegExp(`^this change \\(maps\\) +2 +${bytes}$`, 'm'))
  expect(stdout).toMatch(/^kube-proxy 1\.36 partial sync +3 +\d+$/m)
  expect(stdout).toMatch(/^full reload \(maps\) +\d+ +\d+$/m)
})

test('json: everything, with reasons', async () => {
  const { code, stdout } = await diff(['-o', 'json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    apiVersion: 'kubenft/v1',
    kind: 'Diff',
    mode: 'nftables',
    layout: 'maps',
    different: true,
    transactions: [
      {
        family: 'ipv4',
        operations: REPLACED.map(command => ({
          command,
          because: expect.arrayContaining(['Service shop/web: endpoint 10.1.0.3:8080 added']),
        })),
      },
    ],
    statistics: { servicesTouched: ['shop/web'], operations: 2, byKind: { 'delete element': 1, 'add element': 1 } },
  })
})

describe('other modes print the change for their tools', () => {
  test('iptables', async () => {
    const { code, stdout } = await diff(['--mode', 'iptables', '--explain'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^# Service shop\/web: endpoint 10\.1\.0\.3:8080 added$/m)
    expect(stdout).toMatch(/^\*nat$/m)
    expect(stdout).toMatch(/^-X KUBE-SEP-[A-Z2-7]{16}$/m)
    expect(stdout).toMatch(/^COMMIT$/m)
    expect((await diff(['--mode', 'iptables', '-o', 'restore'])).stdout).not.toContain('#')
  })

  test('ipvs', async () => {
    const { code, stdout } = await diff(['--mode', 'ipvs'])
    expect(code).toBe(1)
    expect(stdout).toContain('ipvsadm -a -t 172.30.0.41:80 -r 10.1.0.3:8080 -m -w 1')
    expect(stdout).toContain('ipvsadm -d -t 172.30.0.41:80 -r 10.1.0.1:8080')
    const { statistics } = JSON.parse((await diff(['--mode', 'ipvs', '-o', 'json'])).stdout)
    expect(statistics.byKind).toMatchObject({ 'add destination': 1, 'delete destination': 1 })
  })

  test('an output of another mode is refused', async () => {
    const { code, stderr } = await diff(['--mode', 'ipvs', '-o', 'nft'])
    expect(code).toBe(2)
    expect(stderr).toContain('mode ipvs has no output "nft"\n    Its change is printed with -o commands.')
  })
})

test('a change of the node or its configuration is a change too', async () => {
  const folder = folderWith({
    'old.json': cluster('10.1.0.1'),
    'new.yaml': `${dump({ ...CONFIGURATION, clusterCIDR: '10.2.0.0/16' })}---\n${list(node(), service(), slice({ endpoints: ['10.1.0.1'] }))}`,
  })
  const { code, stdout } = await kubenft(['diff', `${folder}/old.json`, `${folder}/new.yaml`])
  expect(code).toBe(1)
  expect(stdout).toContain('ip saddr != 10.2.0.0/16')
  const fixed = await kubenft(['diff', `${folder}/old.json`, `${folder}/new.yaml`, '--config', `${folder}/old.json`])
  expect(fixed.code).toBe(0)
})

test('bad input on either side exits 2', async () => {
  expect(await diff([], 'kind: [', cluster('10.1.0.1'))).toMatchObject({ code: 2, stdout: '' })
  expect(await diff([], cluster('10.1.0.1'), '')).toMatchObject({ code: 2, stdout: '' })
})

test('the chains of session affinity come to what a render of the new snapshot has, whatever was there before', async () => {
  const sticky = service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } } })
  const stickyTo = (...endpoints: readonly string[]) => list(CONFIGURATION, node(), sticky, slice({ endpoints }))
  const after = stickyTo('10.1.0.1', '10.1.0.2', '10.1.0.3')
  const { stdout: change } = await diff([], stickyTo('10.1.0.1', '10.1.0.3'), after)
  const { stdout: whole } = await kubenft(['render', '-f', folderWith({ 'new.json': after })])
  const balance = (text: string) => text.split('\n').filter(line => line.includes('numgen random mod 3 vmap'))
  expect(balance(change)).toHaveLength(1)
  expect(balance(whole)).toEqual(balance(change))
})
