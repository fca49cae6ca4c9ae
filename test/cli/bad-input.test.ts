import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { folderWith, kubenft, list } from '../support/command.ts'
import { node, service, slice } from '../support/objects.ts'

const withAPI = <T extends { kind: string }>(object: T, apiVersion = 'v1') => ({ apiVersion, ...object })
const NODE = withAPI(node())
const WEB = withAPI(service())
const withPorts = (ports: unknown) => ({ ...WEB, spec: { ...WEB.spec, ports } })

/** What is read, and every line that the message must hold: where it is, what is wrong, what to do. */
const BAD: readonly (readonly [name: string, content: string | Buffer, message: readonly RegExp[]])[] = [
  [
    'broken YAML',
    'apiVersion: v1\nkind: List\nitems:\n- kind: [Service\n  a: b\n',
    [/document 1: line 5, column \d+: the YAML is broken/, /take the snapshot again/],
  ],
  ['tabs in YAML', 'kind: List\nitems:\n\t- kind: Service\n', [/line 3, column 1: the YAML is broken/]],
  ['broken JSON', '{"kind": "List", "items": [}', [/line 1, column 28: the YAML is broken/]],
  ['JSON that ends too early', '{"kind": "List", "items": [', [/the YAML is broken/]],
  ['a 0-byte file', '', [/the input is empty \(0 bytes\)/, /Take the snapshot again/]],
  ['only comments', '# nothing\n', [/there is no object in it/, /kubectl get nodes,servicecidrs,services,endpointslices/]],
  ['binary data', Buffer.from([0x7f, 0x45, 0x00, 0x01]), [/the input is binary/]],
  ['UTF-16', Buffer.from('\ufeffkind: List', 'utf16le'), [/UTF-16/, /Out-File -Encoding utf8/]],
  ['damaged gzip', gzipSync(Buffer.from(list(NODE))).subarray(0, 40), [/the gzip data ends too early/, /gzip -t/]],
  ['a scalar', 'hello\n', [/"hello" is not a Kubernetes object/]],
  ['no kind', '{"apiVersion": "v1", "metadata": {"name": "x"}}', [/kind: kind is missing/]],
  [
    'a wrong kind',
    list({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }),
    [/only objects of other kinds in it: Deployment.apps/, /kubenft reads Node/],
  ],
  [
    'a version that is not read',
    list({ ...slice(), apiVersion: 'discovery.k8s.io/v1beta1' }),
    [/EndpointSlice shop\/web-a, apiVersion: "discovery.k8s.io\/v1beta1" is not a version that is read/],
  ],
  ['a Service without ports', list(NODE, withPorts([])), [/Service shop\/web, spec.ports: the Service has no ports/, /Add a port/]],
  [
    'a port of 70000',
    list(NODE, withPorts([{ port: 70000 }])),
    [/Service shop\/web, spec.ports\[0\].port: 70000 is out of range/, /from 1 to 65535/],
  ],
  [
    'a port in quotes',
    list(NODE, withPorts([{ port: '80' }])),
    [/spec.ports\[0\].port: "80" is a string, but must be a whole number/, /without quotes/],
  ],
  [
    'a port with a wrong protocol',
    list(NODE, withPorts([{ port: 80, protocol: 'ICMP' }])),
    [/"ICMP" is not an allowed value/, /TCP, UDP, SCTP/],
  ],
  [
    'an unparsable CIDR',
    list({ ...NODE, spec: { podCIDRs: ['10.0.0.0/33'] } }),
    [/Node node-a, spec.podCIDRs\[0\]: "10.0.0.0\/33" is not a CIDR/, /such as 10.0.0.0\/8/],
  ],
  [
    'an unparsable source range',
    list(NODE, { ...WEB, spec: { ...WEB.spec, loadBalancerSourceRanges: ['10.0.0.0'] } }),
    [/loadBalancerSourceRanges\[0\]: "10.0.0.0" is not a CIDR/],
  ],
  [
    'a hostile name',
    list(NODE, { ...WEB, metadata: { name: 'a"; flush ruleset', namespace: 'shop' } }),
    [/items\[1\], metadata.name: "a"; flush ruleset" is not a DNS label/],
  ],
  [
    'aliases that explode',
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\nd: &d [${'*c,'.repeat(9)}]\nkind: List\nitems: [${'*d,'.repeat(9)}]\n`,
    [/the aliases of this YAML stand for more values/],
  ],
  [
    'aliases in aliases without end',
    Array.from({ length: 20_000 }, (_, i) => `${20_000 - i}: &a${i} [${i === 0 ? '' : `*a${i - 1}`}]\n`).join(''),
    [/nested too deeply/],
  ],
  ['an alias inside itself', 'kind: List\nitems: &a [*a]\n', [/the aliases of this YAML/]],
  ['deep nesting', `kind: ${'['.repeat(100_000)}`, [/nesting exceeded/]],
]

describe('every bad snapshot exits 2 and says where, what and what to do', () => {
  test.each(BAD)('%s', async (_name, content, message) => {
    const folder = folderWith({ 'cluster.yaml': content })
    const file = path.join(folder, 'cluster.yaml')
    for (const argv of [
      ['-f', file],
      ['-f', folder],
    ]) {
      const { code, stdout, stderr } = await kubenft(['render', ...argv])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`error: ${folder}`)
      for (const line of message) expect(stderr).toMatch(line)
    }
    const { code, stderr } = await kubenft(['render', '-f', '-'], { stdin: content })
    expect(code).toBe(2)
    expect(stderr).toContain('error: -')
  })
})

test('all problems are said at once, those of several documents and files too', async () => {
  const folder = folderWith({
    'a.yaml': `${list(withPorts([{ port: 0 }, { port: 80, nodePort: 'x' }]))}\n---\nkind: [\n---\n${list({ ...NODE, spec: { podCIDR: 'x' } })}\n`,
    'b.json': list({ ...WEB, metadata: { name: 'A', namespace: 'B' } }),
  })
  const { code, stderr } = await kubenft(['render', '-f', folder])
  expect(code).toBe(2)
  for (const wrong of [
    'a.yaml, document 1, Service shop/web, spec.ports[0].port',
    'a.yaml, document 1, Service shop/web, spec.ports[1].nodePort',
    'a.yaml, document 2: line 4, column 1: the YAML is broken',
    'a.yaml, document 3, Node node-a, spec.podCIDR',
    'b.json, document 1, items[0], metadata.name',
    'b.json, document 1, items[0], metadata.namespace',
  ])
    expect(stderr).toContain(wrong)
})

test.each([
  ['an empty folder', ['render', '-f', '.'], [/the folder has no file to read/, /\*\.yaml/]],
  ['a missing file', ['render', '-f', 'missing.yaml'], [/missing.yaml: the file does not exist/]],
  ['an unknown flag', ['render', '-f', 'x.yaml', '--laoyut', 'maps'], [/Unknown argument: laoyut/, /Did you mean --layout\?/]],
  ['an unknown command', ['rendr'], [/Did you mean render\?/]],
  ['no command', [], [/a command is missing/]],
  ['a layout that does not exist', ['render', '-f', 'x.yaml', '--layout', 'map'], [/layout/, /"maps"/]],
  ['no file', ['render'], [/filename/]],
  ['a flag without its value', ['render', '-f'], [/following: f/]],
  ['shares above one', ['gen', '--services', '10', '--udp', '2'], [/udp is 2/]],
  ['half a service', ['gen', '--services', '1.5'], [/services is 1.5/]],
  ['a layout that bench does not know', ['bench', '--layouts', 'mpas'], [/no layout is called mpas/, /There are maps,/]],
  ['a shell that is not known', ['completion', 'tcsh'], [/bash/]],
])('%s exits 2', async (_name, argv, message) => {
  const folder = folderWith({})
  const { code, stdout, stderr } = await kubenft(
    argv.map(word => (word === '.' ? folder : word.replace(/^(x|missing)\.yaml$/, `${folder}/$1.yaml`))),
  )
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^error: /)
  for (const line of message) expect(stderr).toMatch(line)
})

test.each([
  ['a file that is no configuration', list(NODE), [/there is no KubeProxyConfiguration in it/]],
  [
    'a masquerade bit of 40',
    '{"apiVersion":"kubeproxy.config.k8s.io/v1alpha1","kind":"KubeProxyConfiguration","nftables":{"masqueradeBit":40}}',
    [/nftables.masqueradeBit: 40 is out of range/],
  ],
  [
    'a broken configuration in a ConfigMap',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kube-proxy', namespace: 'kube-system' },
      data: { 'config.conf': 'kind: KubeProxyConfiguration\nclusterCIDR: 10.0.0.0\n' },
    }),
    [/ConfigMap kube-system\/kube-proxy, data\["config.conf"\]: clusterCIDR: "10.0.0.0" is not one CIDR/],
  ],
])('--config: %s', async (_name, content, message) => {
  const folder = folderWith({ 'cluster.json': list(NODE, WEB), 'config.yaml': content })
  const { code, stderr } = await kubenft(['render', '-f', `${folder}/cluster.json`, '--config', `${folder}/config.yaml`])
  expect(code).toBe(2)
  for (const line of message) expect(stderr).toMatch(line)
})

test.each([
  ['no JSON', 'nodeName: [', [/the YAML is broken/]],
  ['missing fields', '{"nodeName": "node-a"}', [/families is missing/, /interfaces is missing/]],
  [
    'an address without prefix',
    '{"nodeName":"node-a","families":["IPv4"],"interfaces":[{"name":"eth0","addresses":["10.0.0.1"]}],"nfacct":[]}',
    [/interfaces\[0\].addresses\[0\]: "10.0.0.1" is not a CIDR/],
  ],
])('--host: %s', async (_name, content, message) => {
  const folder = folderWith({ 'cluster.json': list(NODE, WEB), 'node.json': content })
  const { code, stderr } = await kubenft(['render', '-f', `${folder}/cluster.json`, '--host', `${folder}/node.json`])
  expect(code).toBe(2)
  for (const line of message) expect(stderr).toMatch(line)
})

test('a snapshot larger than the limit is refused, a gzip bomb before it is unpacked', async () => {
  const folder = folderWith({ 'bomb.json.gz': gzipSync(Buffer.alloc(600 * 1024 ** 2, ' ')) })
  const { code, stderr } = await kubenft(['render', '-f', folder])
  expect(code).toBe(2)
  expect(stderr).toContain('larger than 512 MiB')
})
