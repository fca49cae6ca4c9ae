import { describe, expect, test } from 'vitest'
import { changesBetween } from '../../src/delta/change.ts'
import { because } from '../../src/delta/explain.ts'
import { canonicalRule, parseRuleset } from '../../src/iptables/index.ts'
import {
  canonicalSets,
  type IpvsCommand,
  IpvsState,
  ipvsContents,
  parseAddresses,
  parseSets,
  printCommand,
  printCommands,
} from '../../src/ipvs/index.ts'
import { Cluster } from '../../src/model/cluster.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { GOLDEN_CASES } from '../support/golden.ts'
import { inNamespace } from '../support/kernel.ts'
import { applyTo } from './clusters.ts'

const NODE = { origins: ['node'] } as const

describe('one command', () => {
  const cases: readonly (readonly [Omit<IpvsCommand, 'origins'>, string])[] = [
    [
      { verb: 'add', object: { kind: 'virtual server', service: '-t 10.0.0.1:80', options: ['-s rr', '-p 60'] } },
      'ipvsadm -A -t 10.0.0.1:80 -s rr -p 60',
    ],
    [
      { verb: 'edit', object: { kind: 'virtual server', service: '-t 10.0.0.1:80', options: ['-s rr'] } },
      'ipvsadm -E -t 10.0.0.1:80 -s rr',
    ],
    [{ verb: 'delete', object: { kind: 'virtual server', service: '-u 10.0.0.1:80', options: ['-s rr'] } }, 'ipvsadm -D -u 10.0.0.1:80'],
    [
      {
        verb: 'add',
        object: { kind: 'destination', service: '--sctp-service [fd00::1]:80', destination: '[fd00::2]:80', options: ['-m', '-w 1'] },
      },
      "ipvsadm -a --sctp-service '[fd00::1]:80' -r '[fd00::2]:80' -m -w 1",
    ],
    [
      { verb: 'edit', object: { kind: 'destination', service: '-t 10.0.0.1:80', destination: '10.1.0.1:80', options: ['-m', '-w 0'] } },
      'ipvsadm -e -t 10.0.0.1:80 -r 10.1.0.1:80 -m -w 0',
    ],
    [
      { verb: 'delete', object: { kind: 'destination', service: '-t 10.0.0.1:80', destination: '10.1.0.1:80', options: ['-m'] } },
      'ipvsadm -d -t 10.0.0.1:80 -r 10.1.0.1:80',
    ],
    [
      { verb: 'add', object: { kind: 'set', name: 'KUBE-A', type: 'hash:ip', options: ['family inet', 'maxelem 65536'] } },
      'ipset create KUBE-A hash:ip family inet maxelem 65536',
    ],
    [{ verb: 'delete', object: { kind: 'set', name: 'KUBE-A', type: 'hash:ip', options: [] } }, 'ipset destroy KUBE-A'],
    [{ verb: 'add', object: { kind: 'entry', set: 'KUBE-A', entry: '10.0.0.1,tcp:80' } }, 'ipset add KUBE-A 10.0.0.1,tcp:80'],
    [{ verb: 'delete', object: { kind: 'entry', set: 'KUBE-A', entry: '80' } }, 'ipset del KUBE-A 80'],
    [{ verb: 'add', object: { kind: 'address', address: '10.0.0.1' } }, 'ip addr add 10.0.0.1/32 dev kube-ipvs0'],
    [{ verb: 'delete', object: { kind: 'address', address: '10.0.0.1' } }, 'ip addr del 10.0.0.1/32 dev kube-ipvs0'],
  ]
  test.each(cases)('%j', (command, text) => {
    expect(printCommand({ ...command, ...NODE }, 'ipv4')).toBe(text)
  })

  test('IPv6 addresses are hosts too', () => {
    const command = { verb: 'add', object: { kind: 'address', address: 'fd00::1' }, ...NODE } as const
    expect(printCommand(command, 'ipv6')).toBe('ip addr add fd00::1/128 dev kube-ipvs0')
  })

  test('what a shell could take for its own is quoted', () => {
    const command = { verb: 'add', object: { kind: 'entry', set: "it's", entry: '$(reboot)' }, ...NODE } as const
    expect(printCommand(command, 'ipv4')).toBe("ipset add 'it'\\''s' '$(reboot)'")
  })
})

const report = (): void => undefined
/** This test's kernel need not have IPVS: cases whose rules match it are left out, and ipvsadm is not run. */
const SEQUENCES = GOLDEN_CASES.filter(
  ({ snapshots }) =>
    snapshots.length > 1 && snapshots.every(({ services }) => services.every(({ spec }) => !spec?.loadBalancerSourceRanges)),
)

describe('the shell', () => {
  test.each(SEQUENCES)(
    '$name: ipset, ip and iptables take every change and then have what a full render has',
    ({ configuration, host, snapshots }) => {
      const nodes = snapshots.map(snapshot => nodeContexts({ snapshot, configuration, host, nodeName: undefined, report })[0])
      const family = nodes[0]?.family ?? 'ipv4'
      const cluster = new Cluster(family, report)
      const state = new IpvsState(cluster)
      const wanted: { readonly sets: unknown; readonly addresses: unknown; readonly rules: unknown }[] = []
      let script = 'ipvsadm() { :; }\nip link add kube-ipvs0 type veth peer name peer\n'
      for (const [step, snapshot] of snapshots.entries()) {
        const node = nodes[step]
        if (node === undefined) throw new Error('the node has no family')
        const before = snapshots[step - 1] ?? { nodes: [], serviceCIDRs: [], services: [], endpointSlices: [] }
        for (const change of changesBetween(before, snapshot)) applyTo(cluster, change)
        script += printCommands(state.commit(node).operations, family, because)
        script += `ipset save\necho PART\nip -o addr show kube-ipvs0\necho PART\n${family === 'ipv4' ? 'iptables' : 'ip6tables'}-save\necho NEXT\n`
        const { sets, addresses, iptables } = ipvsContents(
          node,
          cluster.keys().flatMap(key => cluster.views(key, node)),
        )
        wanted.push({ sets: canonicalSets(sets), addresses, rules: canonicalRules(iptables) })
      }
      const found = inNamespace(script)
        .split('NEXT\n')
        .slice(0, -1)
        .map(dump => {
          const [sets = '', addresses = '', rules = ''] = dump.split('PART\n')
          return { sets: canonicalSets(parseSets(sets)), addresses: parseAddresses(addresses), rules: canonicalRules(parseRuleset(rules)) }
        })
      expect(found).toEqual(wanted)
    },
  )

  test('there are sequences to run', () => {
    expect(SEQUENCES.length).toBeGreaterThan(3)
  })
})

/** Rules as they mean the same to the kernel, in chains that have any. */
function canonicalRules(ruleset: ReturnType<typeof parseRuleset>): Map<string, string[]> {
  const chains = new Map<string, string[]>()
  for (const [table, list] of ruleset)
    for (const [name, { rules }] of list)
      if (rules.length > 0)
        chains.set(
          `${table} ${name}`,
          rules.map(rule => canonicalRule(rule)),
        )
  return chains
}
