import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { lacking } from '../../lab/lacking.ts'
import { Namespace } from '../../lab/namespace.ts'
import type { Finding } from '../../src/apply/preflight/finding.ts'
import type { Run } from '../../src/apply/preflight/run.ts'
import { type PreflightInput, preflight, refuses } from '../../src/apply/preflight.ts'
import { runIn } from './run-in.ts'

const reason = process.env['CI'] === undefined ? lacking() : undefined

const BOTH = ['ipv4', 'ipv6'] as const
const EVERYTHING: Pick<PreflightInput, 'rulesets' | 'nodes'> = {
  rulesets: BOTH.map(family => ({ family, table: 'kubenft' })),
  nodes: BOTH.map(family => ({ family, localDetector: { kind: 'none' } })),
}

const WELL: readonly (readonly [string, string])[] = [
  ['net.ipv4.ip_forward', '1'],
  ['net.ipv6.conf.all.forwarding', '1'],
  ['net.ipv4.conf.all.rp_filter', '0'],
  ['net.ipv4.conf.default.rp_filter', '0'],
  ['net.ipv4.conf.all.route_localnet', '0'],
  ['net.netfilter.nf_conntrack_tcp_timeout_established', '86400'],
  ['net.netfilter.nf_conntrack_tcp_timeout_close_wait', '3600'],
]

function ids(findings: readonly Finding[], severity: Finding['severity']): string[] {
  return findings.filter(finding => finding.severity === severity).map(({ id }) => id)
}

describe.skipIf(reason !== undefined)(`a host${reason === undefined ? '' : ` (${reason})`}`, () => {
  let host: Namespace
  let run: Run
  beforeAll(async () => {
    host = await Namespace.start('host')
    run = runIn(host)
  })
  afterAll(() => host?.end())
  beforeEach(() => host.call('sysctl', WELL))

  /** Without what the machine, not the namespace, decides. */
  const look = async (input: Partial<PreflightInput> = {}): Promise<Finding[]> =>
    (await preflight({ run, ...EVERYTHING, ...input })).filter(({ id }) => !['sysctl-nf-conntrack-max', 'conntrack-full'].includes(id))

  test('that has everything is fit, which takes few processes', async () => {
    const commands: string[] = []
    const findings = await look({
      run: (command, args, options) => {
        commands.push(command)
        return run(command, args, options)
      },
    })
    expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([])
    expect(ids(findings, 'ok')).toEqual(
      expect.arrayContaining(['kernel-version', 'nft-version', 'rights', 'kernel-expressions', 'other-proxies']),
    )
    expect(commands).toEqual(['sh', 'nft', 'nft', 'nft'])
    expect(await host.must(['nft', 'list', 'ruleset'])).toBe('')
  })

  test('without the right to change packet rules', async () => {
    const findings = await look({
      run: (command, args, options) => run('setpriv', ['--bounding-set', '-net_admin', command, ...args], options),
    })
    expect(ids(findings, 'error')).toEqual(['rights'])
    expect(findings.find(({ id }) => id === 'rights')?.action).toContain('CAP_NET_ADMIN')
  })

  /** Runs with a folder of programs in front of all others; `only` has these alone. */
  function withPrograms(programs: Readonly<Record<string, string>>, only?: readonly string[]): Run {
    const folder = mkdtempSync(path.join(tmpdir(), 'kubenft-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`)
      chmodSync(path.join(folder, name), 0o755)
    }
    for (const name of only ?? []) symlinkSync(name === 'sh' ? '/bin/sh' : `/usr/bin/${name}`, path.join(folder, name))
    const search = only === undefined ? `${folder}:${process.env['PATH']}` : folder
    return (command, args, options) => run('env', [`PATH=${search}`, command, ...args], options)
  }

  test.each([
    ['is missing', {}, 'the program nft is missing'],
    ['ends by a signal', { nft: 'kill -9 $$' }, 'nft cannot be run'],
    ['prints nothing', { nft: 'true' }, 'nft does not tell its version'],
  ])('whose nft %s', async (_, programs, what) => {
    const findings = await look({ run: withPrograms(programs, ['sh', 'grep']) })
    expect(ids(findings, 'error')).toEqual(['nft'])
    expect(findings.find(({ id }) => id === 'nft')?.what).toContain(what)
  })

  test.each([
    ['0.9.8', false],
    ['1.0.0', false],
    ['1.0.1', true],
    ['1.0.10', true],
    ['1.1', true],
  ])('whose nft is %s', async (version, fit) => {
    const real = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH; exec nft "$@"'
    const findings = await look({
      run: withPrograms({ nft: `[ "$1" = --version ] && echo "nftables v${version} (Name)" && exit; ${real}` }),
    })
    expect(refuses(findings)).toBe(!fit)
    expect(ids(findings, fit ? 'ok' : 'error')).toContain('nft-version')
  })

  test.each([
    ['numgen', /numgen/, ['kernel-numgen'], 'CONFIG_NFT_NUMGEN'],
    ['fib in IPv6', /add rule ip6 \S+ \S+ fib/, ['kernel-fib'], 'CONFIG_NFT_FIB_IPV6'],
    ['masquerading', /masquerade/, ['kernel-masquerade'], 'CONFIG_NFT_MASQ'],
    ['NAT', /type nat/, ['kernel-nat-chain'], 'CONFIG_NFT_NAT'],
    ['IPv6 tables', /add table ip6/, ['kernel-nf-tables'], 'CONFIG_NF_TABLES_IPV6'],
    ['timeouts of elements', /dynamic/, ['kernel-dynamic-set'], 'CONFIG_NF_TABLES'],
  ])('whose kernel has no %s: each gap is named once, with its option', async (_, pattern, gaps, option) => {
    const without: Run = async (command, args, options) =>
      args[0] === '--check' && pattern.test(options?.input ?? '')
        ? { code: 1, signal: null, stdout: '', stderr: '/dev/stdin:3:1-9: Error: Could not process rule: No such file or directory\n' }
        : run(command, args, options)
    const errors = (await look({ run: without })).filter(({ severity }) => severity === 'error')
    expect([...new Set(errors.map(({ id }) => id.replace(/-ipv[46]$/, '')))]).toEqual(gaps)
    expect(errors[0]?.action).toContain(option)
    expect(errors[0]?.what).toContain('No such file or directory')
  })

  test.each([
    ['5.12.19', false],
    ['4.18.0-553.el8.x86_64', false],
    ['5.13.0', true],
    ['6.1.0-18-amd64', true],
  ])('with kernel %s', async (release, fit) => {
    const other: Run = async (command, args, options) => {
      const result = await run(command, args, options)
      return { ...result, stdout: result.stdout.replace(/^(\/proc\/sys\/kernel\/osrelease:).*$/m, `$1${release}`) }
    }
    expect(ids(await look({ run: other }), fit ? 'ok' : 'error')).toContain('kernel-version')
  })

  describe('with another service proxy', () => {
    let busy: Namespace
    beforeEach(async () => {
      busy = await Namespace.start('busy')
      await busy.call('sysctl', WELL)
    })
    afterEach(() => busy?.end())
    const lookThere = (input: Partial<PreflightInput> = {}): Promise<Finding[]> => look({ run: runIn(busy), ...input })

    /** iptables-legacy locks a file, by default one that all namespaces share. */
    const lock = path.join(mkdtempSync(path.join(tmpdir(), 'kubenft-test-')), 'xtables.lock')
    afterAll(() => rmSync(path.dirname(lock), { recursive: true }))
    const iptables = (...args: string[]): Promise<string> => busy.must(['env', `XTABLES_LOCKFILE=${lock}`, ...args])

    test.each([
      ['nftables mode', 'kube-proxy-nftables', () => busy.must(['nft', 'add table ip6 kube-proxy'])],
      ['iptables mode through nf_tables', 'kube-proxy-iptables-ipv4', () => iptables('iptables-nft', '-t', 'nat', '-N', 'KUBE-SERVICES')],
      ['iptables mode, IPv6', 'kube-proxy-iptables-ipv6', () => iptables('ip6tables-nft', '-t', 'nat', '-N', 'KUBE-SVC-ERIFXISQEP7F7OF4')],
      ['iptables mode, legacy', 'kube-proxy-iptables-ipv4', () => iptables('iptables-legacy', '-t', 'nat', '-N', 'KUBE-NODEPORTS')],
      ['iptables mode, legacy IPv6', 'kube-proxy-iptables-ipv6', () => iptables('ip6tables-legacy', '-t', 'nat', '-N', 'KUBE-SERVICES')],
      ['IPVS mode', 'kube-proxy-ipvs', () => busy.must(['ip', 'link', 'add', 'kube-ipvs0', 'type', 'veth', 'peer', 'name', 'peer'])],
    ])('in %s, it refuses unless both are wanted', async (_, id, prepare) => {
      await prepare()
      expect(ids(await lookThere(), 'error')).toEqual([id])
      const alongside = await lookThere({ alongside: true })
      expect(refuses(alongside)).toBe(false)
      expect(ids(alongside, 'warning')).toContain(id)
    })

    test('chains of kubelet, of another table and of other programs do not count', async () => {
      for (const chain of [
        'KUBE-FIREWALL',
        'KUBE-KUBELET-CANARY',
        'KUBE-IPTABLES-HINT',
        'KUBE-MARK-MASQ',
        'KUBE-POSTROUTING',
        'MY-KUBERNETES',
      ])
        await iptables('iptables-nft', '-t', 'nat', '-N', chain)
      await iptables('iptables-nft', '-t', 'mangle', '-N', 'KUBE-SERVICES')
      expect(ids(await lookThere(), 'error')).toEqual([])
    })

    test('only in the family of the rules', async () => {
      await busy.must(['nft', 'add table ip6 kube-proxy'])
      expect(refuses(await lookThere({ rulesets: [{ family: 'ipv4', table: 'kubenft' }] }))).toBe(false)
    })

    test('a layout that writes into kube-proxy’s table only warns: the table may be from the last time', async () => {
      await busy.must(['nft', 'add table ip kube-proxy'])
      const findings = await lookThere({ rulesets: [{ family: 'ipv4', table: 'kube-proxy' }] })
      expect(refuses(findings)).toBe(false)
      expect(ids(findings, 'warning')).toContain('kube-proxy-table')
    })
  })

  test.each([
    ['net.ipv4.ip_forward', '0', 'sysctl-ip-forward'],
    ['net.ipv6.conf.all.forwarding', '0', 'sysctl-ipv6-forwarding'],
    ['net.ipv4.conf.all.route_localnet', '1', 'sysctl-route-localnet'],
    ['net.netfilter.nf_conntrack_tcp_timeout_established', '600', 'sysctl-nf-conntrack-tcp-timeout-established'],
    ['net.netfilter.nf_conntrack_tcp_timeout_close_wait', '60', 'sysctl-nf-conntrack-tcp-timeout-close-wait'],
  ])('whose %s is %s can load rules, with a warning', async (name, value, id) => {
    await host.call('sysctl', [[name, value]])
    const findings = await look()
    expect(refuses(findings)).toBe(false)
    expect(ids(findings, 'warning')).toEqual([id])
    expect(findings.find(finding => finding.id === id)?.action).toContain(name)
  })

  test('whose reverse path filter is strict somewhere; the larger of two values counts', async () => {
    await host.must(['ip', 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'eth1'])
    onTestFinished(async () => void (await host.must(['ip', 'link', 'delete', 'eth0'])))
    await host.call('sysctl', [['net.ipv4.conf.eth0.rp_filter', '1']])
    expect((await look()).find(({ id }) => id === 'sysctl-rp-filter')?.what).toBe('reverse path filtering is strict on eth0')
    await host.call('sysctl', [['net.ipv4.conf.all.rp_filter', '2']])
    expect(ids(await look(), 'warning')).toEqual([])
    await host.call('sysctl', [['net.ipv4.conf.all.rp_filter', '1']])
    expect((await look()).find(({ id }) => id === 'sysctl-rp-filter')?.what).toBe('reverse path filtering is strict on eth0, eth1')
  })

  test('parameters of a family that is not in use do not matter', async () => {
    await host.call('sysctl', [['net.ipv6.conf.all.forwarding', '0']])
    const ipv4 = { rulesets: EVERYTHING.rulesets.slice(0, 1), nodes: EVERYTHING.nodes.slice(0, 1) }
    expect(ids(await look(ipv4), 'warning')).toEqual([])
  })

  test('a bridge between pods needs br_netfilter', async () => {
    const findings = await look({
      nodes: [{ family: 'ipv4', localDetector: { kind: 'bridge', interfaceName: 'cni0' } }],
      run: async (command, args, options) => {
        const result = await run(command, args, options)
        return { ...result, stdout: result.stdout.replaceAll(/^\/proc\/sys\/net\/bridge\/.*\n/gm, '') }
      },
    })
    expect(ids(findings, 'warning')).toEqual(['sysctl-bridge-nf-ipv4'])
  })

  test('a table of connections that is nearly full', async () => {
    const findings = await preflight({
      ...EVERYTHING,
      run: async (command, args, options) => {
        const result = await run(command, args, options)
        const stdout = result.stdout.replaceAll(
          /(nf_conntrack_count|nf_conntrack_max):\d+/g,
          (_, name) => `${name}:${name.endsWith('x') ? 262144 : 250000}`,
        )
        return { ...result, stdout }
      },
    })
    expect(ids(findings, 'warning')).toEqual(['conntrack-full'])
  })
})

test('another system than Linux', async () => {
  const run: Run = () => Promise.reject(new Error('not to be run'))
  expect(ids(await preflight({ run, platform: 'darwin', ...EVERYTHING }), 'error')).toEqual(['platform'])
})
