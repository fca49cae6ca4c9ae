import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { folderWith, kubenft, list } from '../support/command.ts'
import { GOLDEN_CASES } from '../support/golden.ts'
import { inNamespace, loading } from '../support/kernel.ts'
import { node, service, slice } from '../support/objects.ts'

const CONFIGURATION = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', clusterCIDR: '10.1.0.0/16' }
const HTTP = [{ name: 'http', port: 80, protocol: 'TCP' as const }]
const SNAPSHOT = list(
  CONFIGURATION,
  node(),
  service({ ports: HTTP }),
  slice({ ports: [{ ...HTTP[0]!, port: 8080 }], endpoints: ['10.1.0.1', '10.1.0.2', '10.1.0.3'] }),
  service({ name: 'api', clusterIP: '172.30.0.42' }),
)

/** What the snapshot asks for, as its tool loads it. */
async function rendered(mode: string, ...argv: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await kubenft(['render', '-f', '-', '--mode', mode, ...argv], { stdin: SNAPSHOT })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return stdout
}

/** The snapshot against dumps in a folder. */
async function against(dumps: Record<string, string>, ...argv: readonly string[]) {
  const folder = folderWith(dumps)
  return kubenft(['diff', '-', '--against', folder, ...argv], { stdin: SNAPSHOT })
}

const live = async (changes: string, list: string, ...argv: readonly string[]) =>
  inNamespace(`${loading(await rendered('nftables', ...argv))}${changes}\n${list}`)

describe('nftables', () => {
  test.each([
    ['nft list table ip kubenft', 'maps'],
    ['nft -j list table ip kubenft', 'maps'],
    ['nft list ruleset', 'kube-proxy-1.34'],
    ['nft -j list ruleset', 'kube-proxy-1.36'],
    ['nft -a list table ip kube-proxy', 'kube-proxy-1.37'],
  ])('%s of what was rendered (%s) is the same', async (listing, layout) => {
    const dump = await live('nft add table ip other', listing, '--layout', layout)
    expect(await against({ dump }, '--layout', layout)).toEqual({
      code: 0,
      stdout: `same: the dump has what the snapshot asks for (${layout}, ipv4)\n`,
      stderr: '',
    })
  })

  const CHANGES = `nft delete element ip kubenft tcp-endpoints '{ 172.30.0.41 . 80 . 1 }'
nft insert rule ip kubenft services ip daddr 172.30.0.99 drop
nft add chain ip kubenft mine
nft delete element ip kubenft no-endpoint-services '{ 172.30.0.42 . tcp . 80 }'
nft add element ip kubenft no-endpoint-services '{ 172.30.0.42 . tcp . 80 : drop }'`

  test.each(['nft list table ip kubenft', 'nft -j list table ip kubenft'])(
    'changes by hand are exactly the differences, by service: %s',
    async listing => {
      const dump = await live(CHANGES, listing)
      const { code, stdout } = await against({ dump })
      expect(code).toBe(1)
      expect(stdout).toBe(`Service shop/api, ipv4:
  different element of map no-endpoint-services
    - 172.30.0.42 . tcp . 80 : goto reject-chain
    + 172.30.0.42 . tcp . 80 : drop
Service shop/web port http, ipv4:
  missing element of map tcp-endpoints
    - 172.30.0.41 . 80 . 1 : 10.1.0.2 . 8080
Of no single service, ipv4:
  extra rule of chain services
    + ip daddr 172.30.0.99 drop
  extra chain mine

1 missing, 2 extra, 1 different; 2 services (maps, ipv4; - asked for by the snapshot, + in the dump)
`)
    },
  )

  test('--explain says what each object is for, --color paints', async () => {
    const dump = await live(CHANGES, 'nft list table ip kubenft')
    const { stdout } = await against({ dump }, '--explain', '--color', 'always')
    expect(stdout).toContain('  missing element of map tcp-endpoints (the endpoint in a slot of an address and port)\n')
    expect(stdout).toContain('\u001b[31m    - 172.30.0.41')
  })

  test('-o json has it all', async () => {
    const dump = await live(CHANGES, 'nft list table ip kubenft')
    const { code, stdout } = await against({ dump }, '-o', 'json', '--explain')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      apiVersion: 'kubenft/v1',
      kind: 'Comparison',
      mode: 'nftables',
      layout: 'maps',
      different: true,
      families: [
        {
          family: 'ipv4',
          differences: expect.arrayContaining([
            {
              kind: 'missing',
              object: 'element of map tcp-endpoints',
              meaning: 'the endpoint in a slot of an address and port',
              services: [{ namespace: 'shop', name: 'web', port: 'http' }],
              wanted: ['172.30.0.41 . 80 . 1 : 10.1.0.2 . 8080'],
              found: [],
            },
          ]),
          notes: [],
        },
      ],
      notes: [],
      summary: { missing: 1, extra: 2, different: 1, services: ['shop/api', 'shop/web'] },
    })
  })

  test('a dump of another layout says which one to choose', async () => {
    const { code, stderr } = await against({ dump: await live('', 'nft list ruleset', '--layout', 'kube-proxy-1.36') })
    expect(code).toBe(2)
    expect(stderr).toContain('the dump has no table kubenft, where layout maps has its rules')
    expect(stderr).toContain('It holds table ip kube-proxy. Choose --layout kube-proxy-1.34 or --layout kube-proxy-1.36')
  })

  test('a table of another kube-proxy is told from one that drifted', async () => {
    const dump = await live('', 'nft list ruleset', '--layout', 'kube-proxy-1.34')
    const { code, stdout } = await against({ dump }, '--layout', 'kube-proxy-1.36')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^note: ipv4: the dump looks like layout kube-proxy-1\.34: with --layout kube-proxy-1\.34 there are 0 differences, not \d+$/m,
    )
    expect(stdout).not.toContain('looks like layout kube-proxy-1.37')
  })

  test('control characters of a dump do not reach the terminal', async () => {
    const dump = await live(
      `nft 'add chain ip kubenft mine; add rule ip kubenft mine log prefix "\u001b[31m"'`,
      'nft list table ip kubenft',
    )
    const { stdout } = await against({ dump })
    expect(stdout).toContain('\\u001b[31m')
    expect(stdout).not.toContain('\u001b')
  })

  test('a dump that was cut short is refused', async () => {
    const dump = await live('', 'nft list table ip kubenft')
    expect(await against({ dump: dump.slice(0, dump.length / 2) })).toMatchObject({ code: 2, stdout: '' })
    const json = await live('', 'nft -j list table ip kubenft')
    expect(await against({ dump: json.slice(0, json.length / 2) })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('dump'),
    })
  })
})

describe('iptables', () => {
  test('changes by hand are exactly the differences; what others have is left out', async () => {
    const text = await rendered('iptables')
    const chain = /^-A KUBE-SERVICES .* -d 172\.30\.0\.41.* -j (KUBE-SVC-\S+)$/m.exec(text)?.[1]
    const dump = inNamespace(`iptables-legacy-restore <<'END'\n${text}END
iptables-legacy -t nat -N DOCKER
iptables-legacy -t nat -A PREROUTING -j DOCKER
iptables-legacy -t nat -D ${chain} 1
iptables-legacy -t filter -F KUBE-SERVICES
iptables-legacy -t filter -A KUBE-FORWARD -j ACCEPT
iptables-legacy -t nat -N KUBE-SEP-AAAAAAAAAAAAAAAA
iptables-legacy-save`)
    const { code, stdout } = await against({ dump }, '--mode', 'iptables')
    expect(code).toBe(1)
    const first = new RegExp(`^-A ${chain} (.*)$`, 'm').exec(text)?.[1]
    const reject = /^-A KUBE-SERVICES (.* -j REJECT)$/m.exec(text)?.[1]
    expect(stdout).toBe(`Service shop/api, ipv4:
  missing rule of chain filter KUBE-SERVICES
    - ${reject}
Service shop/web port http, ipv4:
  missing rule of chain nat ${chain}
    - ${first}
Of no single service, ipv4:
  extra rule of chain filter KUBE-FORWARD
    + -j ACCEPT

note: ipv4: 1 stale, nothing leads there any more: KUBE-SEP-AAAAAAAAAAAAAAAA
2 missing, 1 extra, 0 different; 2 services (iptables, ipv4; - asked for by the snapshot, + in the dump)
`)
  })

  test('a dump without kube-proxy’s chains, or of a node in IPVS mode, is refused', async () => {
    const empty = await against({ dump: '*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n' }, '--mode', 'iptables')
    expect(empty).toMatchObject({ code: 2, stdout: '' })
    expect(empty.stderr).toContain(
      'none of the chains of kube-proxy in mode iptables\n    kube-proxy may use the other variant of iptables',
    )
    const ipvs = await against({ dump: await rendered('ipvs', '--part', 'iptables') }, '--mode', 'iptables')
    expect(ipvs.stderr).toContain('these are the rules of a node in mode ipvs, not iptables\n    Choose --mode ipvs.')
  })
})

describe('ipvs', () => {
  const parts = async () => ({
    servers: await rendered('ipvs', '--part', 'ipvsadm'),
    sets: await rendered('ipvs', '--part', 'ipset'),
    rules: await rendered('ipvs', '--part', 'iptables'),
    addresses: await rendered('ipvs', '--part', 'addresses'),
  })

  test('several files, or one with all', async () => {
    const files = await parts()
    const same = { code: 0, stdout: 'same: the dump has what the snapshot asks for (ipvs, ipv4)\n' }
    expect(await against(files, '--mode', 'ipvs')).toMatchObject(same)
    expect(await against({ all: Object.values(files).join('') }, '--mode', 'ipvs')).toMatchObject(same)
  })

  test('differences, and what was not dumped', async () => {
    const { servers } = await parts()
    const { code, stdout } = await against({ servers: servers.replace(/^-a .* -r 10\.1\.0\.2:8080 .*\n/m, '') }, '--mode', 'ipvs')
    expect(code).toBe(1)
    expect(stdout).toContain('Service shop/web port http, ipv4:\n  missing destination\n    - -t 172.30.0.41:80 -r 10.1.0.2:8080 -m -w 1\n')
    expect(stdout).toContain(
      'note: ipv4: not compared, since no dump has it: `ipset save`, `ip -o addr show kube-ipvs0`, `iptables-save`\n',
    )
  })
})

describe('a node with both families', () => {
  const { folder } = GOLDEN_CASES.find(({ host }) => host.families?.length === 2)!
  const OPTIONS = ['--config', `${folder}/kube-proxy.yaml`, '--host', `${folder}/node.json`]
  const file = (name: string) => `${folder}/expected/${name}`
  const compare = (dumps: Record<string, string>, ...argv: readonly string[]) =>
    kubenft(['diff', `${folder}/snapshot-0.yaml`, '--against', folderWith(dumps), ...OPTIONS, ...argv])

  test('one listing of both, or one dump of each', async () => {
    const both = inNamespace(`nft -f ${file('nftables-maps.ipv4.0.nft')}; nft -f ${file('nftables-maps.ipv6.0.nft')}; nft list ruleset`)
    expect(await compare({ both })).toMatchObject({ code: 0, stdout: expect.stringContaining('(maps, ipv4 and ipv6)') })
    const saves = Object.fromEntries(['ipv4', 'ipv6'].map(family => [family, readFileSync(file(`iptables.${family}.0.save`), 'utf8')]))
    expect(await compare(saves, '--mode', 'iptables')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('(iptables, ipv4 and ipv6)'),
    })
  })

  test('a family that no dump is about is named; when only it is asked for, that is an error', async () => {
    const ipv4 = readFileSync(file('iptables.ipv4.0.save'), 'utf8')
    const one = await compare({ ipv4 }, '--mode', 'iptables')
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('note: ipv6 was not compared: no dump is about it\n') })
    const other = await compare({ ipv4 }, '--mode', 'iptables', '--family', 'ipv6')
    expect(other).toMatchObject({ code: 2, stdout: '' })
    expect(other.stderr).toContain('the dump is not about ipv6, which the comparison is for')
  })

  test('two dumps of one family are refused', async () => {
    const text = readFileSync(file('iptables.ipv4.0.save'), 'utf8')
    const { code, stderr } = await compare({ legacy: text, nft: text }, '--mode', 'iptables')
    expect(code).toBe(2)
    expect(stderr).toContain('there are 2 iptables dumps of ipv4')
  })

  test('rules that do not tell their family need --family', async () => {
    const dump = '*nat\n:KUBE-NODEPORTS - [0:0]\nCOMMIT\n'
    expect((await compare({ dump }, '--mode', 'iptables')).stderr).toContain('it is unclear whether these rules are for IPv4 or IPv6')
    expect(await compare({ dump }, '--mode', 'iptables', '--family', 'ipv6')).toMatchObject({ code: 1 })
  })
})

describe('what does not fit together', () => {
  test('a dump of another mode', async () => {
    const { code, stderr } = await against({ dump: await rendered('ipvs', '--part', 'ipvsadm') })
    expect(code).toBe(2)
    expect(stderr).toContain('this is what `ipvsadm -Sn` prints, which says nothing about mode nftables')
    expect(stderr).toContain('Choose --mode ipvs, or give what one of these prints: `nft list table`, `nft -j list table`.')
  })

  test('dumps of another mode beside the right one are named', async () => {
    const dumps = { nft: await live('', 'nft list table ip kubenft'), servers: await rendered('ipvs', '--part', 'ipvsadm') }
    const { code, stdout } = await against(dumps)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^note: .*servers: a dump of another mode; it was left out\nsame/)
  })

  test.each([
    [['old.json', 'new.json', '--against', 'dump'], 'two snapshots and --against do not go together'],
    [['old.json', '-f', 'new.json', '--against', 'dump'], 'the snapshot is named twice'],
    [['--against', 'dump'], 'there is no snapshot'],
    [['-', '--against', '-'], 'cannot both come from standard input'],
    [['old.json'], 'there is only one snapshot'],
    [['-f', 'old.json', '-f', 'new.json'], '-f is for --against'],
    [['old.json', '--against', 'dump', '-o', 'nft'], '--against has no output "nft"'],
    [['old.json', 'new.json', '-o', 'text'], 'mode nftables has no output "text"'],
  ])('%j', async (argv, message) => {
    const { code, stderr, stdout } = await kubenft(['diff', ...argv])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.split('\n').length).toBeGreaterThan(2)
  })

  test('-f names the snapshot too', async () => {
    const folder = folderWith({ 'snapshot.json': SNAPSHOT, dump: await live('', 'nft list table ip kubenft') })
    expect(await kubenft(['diff', '--against', `${folder}/dump`, '-f', `${folder}/snapshot.json`])).toMatchObject({ code: 0 })
    expect(
      await kubenft(['diff', '--against', '-', '-f', `${folder}/snapshot.json`], { stdin: await live('', 'nft list table ip kubenft') }),
    ).toMatchObject({ code: 0 })
  })
})
