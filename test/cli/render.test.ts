import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { dump } from 'js-yaml'
import { expect, test } from 'vitest'
import { folderWith, kubenft, list } from '../support/command.ts'
import { inNamespace, normalized } from '../support/kernel.ts'
import { node, service, slice, sliceEndpoint } from '../support/objects.ts'

const NODE = { apiVersion: 'v1', ...node() }
const WEB = { apiVersion: 'v1', ...service() }
const SLICE = { apiVersion: 'discovery.k8s.io/v1', ...slice({ endpoints: [sliceEndpoint('10.1.0.3')] }) }
const ALL = list(NODE, WEB, SLICE)
const CONFIGURATION = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', clusterCIDR: '10.1.0.0/16' }

const rendered = async (files: Readonly<Record<string, string | Buffer>>, argv: readonly string[] = []) => {
  const { code, stdout, stderr } = await kubenft(['render', '-f', folderWith(files), ...argv])
  expect(stderr).not.toContain('error')
  expect(code).toBe(0)
  return stdout
}

test('a snapshot gives the same rules in every form that kubectl prints and people keep', async () => {
  const expected = await rendered({ 'all.json': ALL })
  expect(expected).toContain('add element ip kubenft service-ips { 172.30.0.41 . tcp . 80 : goto tcp-1 }')
  const yaml = dump(JSON.parse(ALL))
  for (const files of [
    { 'all.yaml': yaml },
    { 'all.yaml': yaml.replaceAll('\n', '\r\n') },
    { 'all.yaml': `\ufeff${yaml}` },
    { 'all.yaml.gz': gzipSync(yaml) },
    { 'all.yml': `# taken today\n---\n${dump(NODE)}---\n${dump(WEB)}---\n---\n${dump(SLICE)}...\n` },
    { 'all.yaml': `%YAML 1.2\n---\n${yaml}` },
    { 'a.json': JSON.stringify(NODE), 'b.yaml': dump(WEB), 'c.json': JSON.stringify(SLICE), 'README.md': '# not read', 'notes.txt': 'x' },
    { 'all.json': [NODE, WEB, SLICE].map(object => JSON.stringify(object, undefined, 4)).join('\n') },
    {
      'lists.yaml': dump(
        {
          apiVersion: 'v1',
          kind: 'List',
          items: [{ apiVersion: 'v1', kind: 'ServiceList', items: [{ ...WEB, kind: undefined }] }, NODE, SLICE],
        },
        { skipInvalid: true },
      ),
    },
  ])
    expect(await rendered(files)).toBe(expected)
  const { stdout } = await kubenft(['render', '-f', '-'], { stdin: gzipSync(ALL) })
  expect(stdout).toBe(expected)
})

test('a configuration counts the same alone, in its ConfigMap, and inside the snapshot', async () => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-proxy', namespace: 'kube-system' },
    data: { 'config.conf': dump(CONFIGURATION), 'kubeconfig.conf': 'x' },
  }
  const inside = await rendered({ 'all.json': ALL, 'config.yaml': dump(CONFIGURATION) })
  expect(inside).toContain('ip saddr != 10.1.0.0/16')
  expect(await rendered({ 'all.json': ALL, 'config.yaml': dump(configMap) })).toBe(inside)
  const folder = folderWith({ 'config.yaml': dump(configMap) })
  expect(await rendered({ 'all.json': ALL }, ['--config', path.join(folder, 'config.yaml')])).toBe(inside)
})

test('--out writes a file a family, and nothing else', async () => {
  const folder = folderWith({})
  const dualStack = list(node({ addresses: ['192.168.0.2', 'fd00::2'] }), WEB, SLICE)
  const source = folderWith({ 'all.json': dualStack })
  const { code, stdout } = await kubenft(['render', '-f', source, '--out', path.join(folder, 'new')])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(readdirSync(path.join(folder, 'new'))).toEqual(['ipv4.nft', 'ipv6.nft'])
  expect(readFileSync(path.join(folder, 'new', 'ipv6.nft'), 'utf8')).toContain('add table ip6 kubenft')
  const failed = await kubenft(['render', '-f', source, '--out', path.join(source, 'all.json', 'under-a-file')])
  expect(failed.code).toBe(2)
  expect(failed.stderr).toContain('under-a-file: cannot be written')
})

test('-o json: nft’s own form for all families at once, which loads as the script does; texts by name in other modes', async () => {
  const source = folderWith({ 'all.json': list(node({ addresses: ['192.168.0.2', 'fd00::2'] }), WEB, SLICE) })
  const argv = ['render', '-f', source, '--layout', 'kube-proxy-1.36']
  const [text, json] = [(await kubenft(argv)).stdout, (await kubenft([...argv, '-o', 'json'])).stdout]
  const tables = (load: string, script: string): unknown =>
    inNamespace(
      `${load} <<'END_OF_SCRIPT'\n${script}END_OF_SCRIPT\nnft -j list table ip kube-proxy; echo; nft -j list table ip6 kube-proxy\n`,
    )
      .split('\n')
      .filter(line => line !== '')
      // nft 1.0.6 passes over the comments of sets and maps in JSON.
      .map(listing => normalized(listing).map(line => (/^\["(?:set|map)"/.test(line) ? line.replace(/,"comment":"[^"]*"/, '') : line)))
  expect(tables('nft -j -f -', json)).toEqual(tables('nft -f -', text))
  const ipvs = JSON.parse((await kubenft(['render', '-f', source, '--mode', 'ipvs', '-o', 'json'])).stdout)
  expect(ipvs).toMatchObject({ apiVersion: 'kubenft/v1', kind: 'Rules', mode: 'ipvs' })
  expect(Object.keys(ipvs.texts)).toEqual(
    ['ipv4', 'ipv6'].flatMap(family => ['ipvsadm', 'ipset', 'iptables', 'addresses'].map(part => `${family}.${part}`)),
  )
})

test('environment variables stand behind flags and before defaults; those that are no option of the command count for nothing', async () => {
  const folder = folderWith({ 'all.json': ALL })
  const layout = async (argv: readonly string[], env: Record<string, string>) =>
    (await kubenft(['render', '-f', folder, ...argv], { env })).stdout
  const KUBENFT_LAYOUT = 'kube-proxy-1.36'
  expect(await layout([], { KUBENFT_LAYOUT })).toContain('add table ip kube-proxy')
  expect(await layout(['--layout', 'maps'], { KUBENFT_LAYOUT })).toContain('add table ip kubenft')
  // What a pod has beside a Service called kubenft.
  const env = { KUBENFT_SERVICE_HOST: '10.96.0.7', KUBENFT_PORT: 'tcp://10.96.0.7:80', KUBENFT_LAYOUT, KUBENFT_STRICT: 'false' }
  expect(await layout([], env)).toContain('add table ip kube-proxy')
  expect((await kubenft(['version'], { env })).code).toBe(0)
  expect(await kubenft(['render', '-f', folder], { env: { KUBENFT_LAYOUT: 'map' } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"maps"'),
  })
})

test('--family: nothing is said of the other one', async () => {
  const folder = folderWith({
    'all.json': list(node({ addresses: ['192.168.0.2', 'fd00::2'] }), WEB, SLICE),
    'config.yaml': dump({ ...CONFIGURATION }),
  })
  expect((await kubenft(['render', '-f', folder])).stderr).toContain('IPv6')
  expect(await kubenft(['render', '-f', folder, '--family', 'ipv4', '--strict'])).toMatchObject({ code: 0, stderr: '' })
})

test('--strict makes warnings errors', async () => {
  const folder = folderWith({
    'all.json': list(NODE, WEB, SLICE, {
      ...slice({ name: 'lost', labels: {} }),
      apiVersion: 'discovery.k8s.io/v1',
      metadata: { name: 'lost', namespace: 'shop' },
    }),
  })
  const lenient = await kubenft(['render', '-f', folder])
  expect(lenient.code).toBe(0)
  expect(lenient.stderr).toContain('warning: ')
  const strict = await kubenft(['render', '-f', folder, '--strict'])
  expect(strict).toMatchObject({ code: 2, stdout: '' })
  expect(strict.stderr).toMatch(/error: .*EndpointSlice shop\/lost/)
})

test('version and completion', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect((await kubenft(['version'])).stdout).toBe(`kubenft ${version}\n`)
  expect(JSON.parse((await kubenft(['version', '-o', 'json'])).stdout)).toMatchObject({
    apiVersion: 'kubenft/v1',
    kind: 'Version',
    version,
  })
  for (const shell of ['bash', 'zsh', 'fish']) expect((await kubenft(['completion', shell])).stdout).toContain('kubenft')
})

test('gen prints what render reads', async () => {
  const { stdout } = await kubenft(['gen', '--services', '50', '--endpoints', '3', '--mix', 'everything', '--seed', '9'])
  for (const layout of ['maps', 'kube-proxy-1.36']) {
    const { code, stdout: script } = await kubenft(['render', '-f', '-', '--node', 'worker-1', '--layout', layout], { stdin: stdout })
    expect(code).toBe(0)
    expect(script.split('\n').length).toBeGreaterThan(100)
  }
})

test('of two endpoints with one address in a slice, each layout takes the one that its kube-proxy takes', async () => {
  const repeating = { ...SLICE, ...slice({ endpoints: [sliceEndpoint('10.1.0.3', { ready: false }), sliceEndpoint('10.1.0.3')] }) }
  const files = { 'all.json': list(NODE, WEB, repeating) }
  const refused = '172.30.0.41 . tcp . 80 comment "shop/web" : goto reject-chain'
  expect(await rendered(files, ['--layout', 'kube-proxy-1.34'])).toContain(refused)
  for (const layout of ['kube-proxy-1.36', 'kube-proxy-1.37', 'maps'])
    expect(await rendered(files, ['--layout', layout])).not.toContain(refused)
})

test('an address that a service names twice: two rules in iptables mode, as kube-proxy writes them, and one element or entry elsewhere', async () => {
  const twice = { apiVersion: 'v1', ...service({ externalIPs: ['203.0.113.9', '203.0.113.9'] }) }
  const files = { 'all.json': list(NODE, twice, SLICE) }
  const count = async (argv: readonly string[], text: string) => (await rendered(files, argv)).split(text).length - 1
  expect(await count(['--mode', 'iptables'], '-d 203.0.113.9 --dport 80')).toBe(2)
  for (const layout of ['maps', 'kube-proxy-1.34', 'kube-proxy-1.36'])
    expect(await count(['--layout', layout], 'service-ips { 203.0.113.9 . tcp . 80 :')).toBe(1)
  expect(await count(['--mode', 'ipvs', '--part', 'ipset'], 'KUBE-EXTERNAL-IP 203.0.113.9,tcp:80')).toBe(1)
})

test('an external IP that is the service’s own cluster IP: the address takes the external path, once, as in kube-proxy', async () => {
  const files = { 'all.json': list(NODE, { apiVersion: 'v1', ...service({ externalIPs: ['172.30.0.41'] }) }, SLICE) }
  for (const [layout, verdict] of [
    ['maps', 'goto external-tcp-1'],
    ['kube-proxy-1.34', 'goto external-'],
    ['kube-proxy-1.36', 'goto external-'],
  ] as const) {
    const text = await rendered(files, ['--layout', layout])
    const dispatch = text.split('\n').filter(line => line.includes('service-ips { 172.30.0.41 '))
    expect(dispatch).toEqual([expect.stringContaining(verdict)])
  }
  const nowhere = await rendered({ 'all.json': list(NODE, { ...service({ externalIPs: ['172.30.0.41'] }), apiVersion: 'v1' }) })
  expect(nowhere.split('\n').filter(line => line.includes('no-endpoint-services { 172.30.0.41 '))).toHaveLength(1)
})
