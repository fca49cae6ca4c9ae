import { describe, expect, test } from 'vitest'
import { type Dump, recognise } from '../../src/compare/dumps/recognise.ts'
import { compareIpvs, type IpvsDump } from '../../src/compare/ipvs/compare-ipvs.ts'
import { readIpvsDump } from '../../src/compare/ipvs/read.ts'
import { printRuleset } from '../../src/iptables/index.ts'
import { canonicalSets, ipvsContents, printAddresses, printSets, printVirtualServers } from '../../src/ipvs/index.ts'
import type { ServicePortView } from '../../src/model/types.ts'
import { expected } from '../support/golden.ts'
import { inNamespace } from '../support/kernel.ts'
import { seenGoldens } from './cases.ts'

test('what kube-proxy was recorded to have is what the snapshots ask for', () => {
  const cases = seenGoldens()
  for (const { golden, step, node, views, title } of cases) {
    const parts = ['ipvsadm', 'ipset', 'addresses', 'save'].map(part => expected(golden, `ipvs.${node.family}.${step}.${part}`) ?? '')
    const dump = readIpvsDump(recognise('dump', parts.join('\n')), node.family, [node.family])
    expect(compareIpvs(node, views, dump ?? {}), title).toEqual({ family: node.family, differences: [], notes: [] })
  }
  expect(cases.length).toBeGreaterThan(100)
})

test('sets that ipset has, and rules that iptables has, are what the snapshot asks for', () => {
  const cases = seenGoldens().filter(({ step }) => step === 0)
  const script = cases.map(({ node, views }) => {
    const { sets, iptables } = ipvsContents(node, views)
    const tool = node.family === 'ipv4' ? 'iptables-legacy' : 'ip6tables-legacy'
    // Kernels without IPVS or the match for sets take the chains, but not these rules: they are compared by the goldens above.
    const plain = printRuleset(iptables).replaceAll(/^-A .* -m (?:set|ipvs|physdev) .*\n/gm, '')
    return `ipset create OTHER hash:ip\nipset restore <<'END'\n${printSets(sets)}END\n${tool}-restore <<'END'\n${plain}END\nipset save\n${tool}-save\n${tool} -t filter -F; ${tool} -t nat -F; ipset destroy\necho NEXT\n`
  })
  const outputs = inNamespace(script.join('')).split('NEXT\n').slice(0, -1)
  expect(outputs).toHaveLength(cases.length)
  for (const [index, text] of outputs.entries()) {
    const { node, views, title } = cases[index]!
    const dump = readIpvsDump(recognise('dump', text), node.family, [node.family])
    const { differences } = compareIpvs(node, views, dump!)
    expect(dump?.sets?.has('OTHER'), title).toBe(true)
    const left = differences.filter(
      ({ object, wanted }) => !object.startsWith('rule of chain') || wanted.some(rule => !/ ?-m (?:set|ipvs|physdev) /.test(rule)),
    )
    expect(left, title).toEqual([])
  }
})

describe('each kind of difference', () => {
  const isTelling = ({ port, endpoints }: ServicePortView): boolean =>
    port.nodePort !== 0 && !port.internalPolicyLocal && endpoints.cluster.length > 1 && endpoints.all.some(({ isLocal }) => isLocal)
  const { node, views } = seenGoldens().find(seen => seen.node.family === 'ipv4' && seen.views.some(isTelling))!
  const view = views.find(isTelling)!
  const { namespace, name, portName, clusterIP, port, protocol, nodePort } = view.port
  const service = { namespace, name, portName }
  const server = `-${protocol === 'tcp' ? 't' : 'u'} ${clusterIP}:${port}`
  const contents = ipvsContents(node, views)

  /** The comparison after one text was changed. */
  function changed(change: Partial<Record<'ipvsadm' | 'ipset' | 'addresses' | 'iptables', (text: string) => string>>) {
    const texts = {
      ipvsadm: printVirtualServers(contents.virtualServers),
      ipset: printSets(contents.sets),
      addresses: printAddresses(contents.addresses),
      iptables: printRuleset(contents.iptables),
    }
    const dumps = Object.entries(texts).map(
      ([kind, text]): Dump => ({
        kind: kind as Dump['kind'],
        file: kind,
        text: change[kind as keyof typeof texts]?.(text) ?? text,
        family: node.family,
      }),
    )
    return compareIpvs(node, views, readIpvsDump(dumps, node.family, [node.family])!)
  }

  test('none', () => {
    expect(changed({})).toEqual({ family: node.family, differences: [], notes: [] })
  })

  test('a destination that is missing, one that is extra, one with another weight, and one that drains', () => {
    const [first = '', second = ''] = contents.virtualServers.get(server)!.destinations.keys()
    const line = (destination: string, options = '-m -w 1') => `-a ${server} -r ${destination} ${options}\n`
    const text = (destination: string, options = '-m -w 1') => `${server} -r ${destination} ${options}`
    const base = { object: 'destination', services: [service] }
    expect(changed({ ipvsadm: all => all.replace(line(first), '') }).differences).toEqual([
      { ...base, kind: 'missing', wanted: [text(first)], found: [] },
    ])
    expect(changed({ ipvsadm: all => all + line('10.9.9.9:1') }).differences).toEqual([
      { ...base, kind: 'extra', wanted: [], found: [text('10.9.9.9:1')] },
    ])
    expect(changed({ ipvsadm: all => all.replace(line(second), line(second, '-m -w 5')) }).differences).toEqual([
      { ...base, kind: 'different', wanted: [text(second)], found: [text(second, '-m -w 5')] },
    ])
    expect(changed({ ipvsadm: all => all + line('10.9.9.9:1', '-m -w 0') })).toMatchObject({
      differences: [],
      notes: [expect.stringContaining('weight 0')],
    })
  })

  test('virtual servers', () => {
    const other = `-A ${server.replace(/\d+$/, '1')} -s rr`
    expect(changed({ ipvsadm: all => `${all}${other}\n` }).differences).toEqual([
      {
        kind: 'extra',
        object: 'virtual server',
        wanted: [],
        found: [other.slice(3)],
        services: [{ namespace, name, portName: undefined }],
      },
    ])
    expect(changed({ ipvsadm: all => all.replace(`-A ${server} -s rr`, `-A ${server} -s wlc`) }).differences).toEqual([
      { kind: 'different', object: 'virtual server', wanted: [`${server} -s rr`], found: [`${server} -s wlc`], services: [service] },
    ])
    expect(changed({ ipvsadm: all => all.replace(`-A ${server} -s rr`, `-A ${server} -s rr -M 255.255.255.255`) }).differences).toEqual([])
  })

  test('entries, sets and addresses', () => {
    const set = `KUBE-NODE-PORT-${protocol.toUpperCase()}`
    expect(changed({ ipset: all => all.replace(`add ${set} ${nodePort}\n`, '') }).differences).toEqual([
      { kind: 'missing', object: `entry of set ${set}`, wanted: [String(nodePort)], found: [], services: [service] },
    ])
    expect(
      changed({ ipset: all => `${all}add KUBE-IPVS-IPS 10.9.9.9\ncreate OTHER hash:ip family inet\nadd OTHER 10.9.9.9\n` }).differences,
    ).toEqual([{ kind: 'extra', object: 'entry of set KUBE-IPVS-IPS', wanted: [], found: ['10.9.9.9'], services: [] }])
    const loopBack = [...contents.sets.get('KUBE-LOOP-BACK')!.entries.keys()][0]!
    expect(changed({ ipset: all => all.replace(`add KUBE-LOOP-BACK ${loopBack}\n`, '') }).differences).toMatchObject([
      { kind: 'missing', services: [service] },
    ])
    expect(
      changed({ ipset: all => all.replaceAll(/hashsize 1024/g, 'hashsize 4096').replaceAll(/^(add .*)$/gm, '$1 packets 3 bytes 180') })
        .differences,
    ).toEqual([])
    expect(changed({ addresses: all => all.replace(`${clusterIP}\n`, '') }).differences).toEqual([
      { kind: 'missing', object: 'address on kube-ipvs0', wanted: [clusterIP], found: [], services: [service] },
    ])
  })

  test('rules: those of others are left out', () => {
    const others = (all: string) => all.replace('COMMIT', '-A INPUT -i lo -j ACCEPT\nCOMMIT')
    expect(changed({ iptables: others }).differences).toEqual([])
    expect(changed({ iptables: all => all.replace(/^-A KUBE-MARK-MASQ .*\n/m, '') }).differences).toMatchObject([
      { kind: 'missing', object: 'rule of chain nat KUBE-MARK-MASQ', services: [] },
    ])
  })
})

test('only what was dumped is compared', () => {
  const { node, views } = seenGoldens()[0]!
  const contents = ipvsContents(node, views)
  const parts: readonly IpvsDump[] = [
    { virtualServers: contents.virtualServers },
    { sets: canonicalSets(contents.sets) },
    { addresses: contents.addresses },
    { iptables: contents.iptables },
  ]
  for (const part of parts) expect(compareIpvs(node, views, part).differences).toEqual([])
})
