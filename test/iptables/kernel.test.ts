import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalRule, iptablesRuleset, parseRuleset, printRestore, printRuleset, type Ruleset } from '../../src/iptables/index.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { viewsOf } from '../../src/model/views.ts'
import type { HostFacts } from '../../src/snapshot/types.ts'
import { history } from '../support/arbitraries.ts'
import { expected, GOLDEN_CASES } from '../support/golden.ts'
import { inNamespace } from '../support/kernel.ts'
import { seen } from './clusters.ts'
import { play } from './play.ts'

const VARIANTS = ['legacy', 'nft'] as const
const HOST: HostFacts = {
  nodeName: 'node-a',
  families: ['IPv4', 'IPv6'],
  interfaces: [{ name: 'eth0', addresses: ['192.168.0.2/24', '2001:db8::1/64'] }],
  nfacct: [],
}
const TOOLS = { ipv4: 'iptables', ipv6: 'ip6tables' } as const

/** The rules of every chain in their canonical form; policies are not compared, since `-` leaves them as they are. */
function rulesByChain(ruleset: Ruleset): Record<string, readonly string[]> {
  const entries = [...ruleset].flatMap(([table, chains]) =>
    [...chains].map(([name, { rules }]) => [`${table} ${name}`, rules.map(canonicalRule)] as const),
  )
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Every golden case and some random clusters, rendered; most kernels that test this have no nfacct, so the host has no counters here. */
function rendered(family: 'ipv4' | 'ipv6'): Ruleset[] {
  const random = fc
    .sample(seen, { seed: 1, numRuns: 60 })
    .filter(({ node }) => node.family === family)
    .map(({ node, views }) => iptablesRuleset({ ...node, iptables: { ...node.iptables, nfacct: new Set<string>() } }, views))
  const golden = GOLDEN_CASES.flatMap(({ configuration, host, snapshots }) =>
    snapshots.flatMap(snapshot => {
      const report = (): void => undefined
      return nodeContexts({ snapshot, configuration, host: { ...host, nfacct: [] }, nodeName: undefined, report })
        .filter(context => context.family === family)
        .map(context => iptablesRuleset(context, viewsOf(snapshot, context, report)))
    }),
  )
  return [...golden, ...random]
}

function loading(tool: string, text: string): string {
  return `${tool} <<'END_OF_RULES'\n${text}END_OF_RULES\n`
}

describe.each(VARIANTS)('iptables-%s', variant => {
  test.each(['ipv4', 'ipv6'] as const)('a render of %s, loaded and saved again, is the same', family => {
    const tool = `${TOOLS[family]}-${variant}`
    const rulesets = rendered(family)
    expect(rulesets.length).toBeGreaterThan(20)
    const script = rulesets.map(ruleset => `${loading(`${tool}-restore`, printRuleset(ruleset))}${tool}-save; echo '=='\n`)
    const dumps = inNamespace(script.join('')).split('==\n').slice(0, -1)
    expect(dumps.map(dump => rulesByChain(parseRuleset(dump)))).toEqual(rulesets.map(rulesByChain))
  })

  test('kube-proxy’s own text passes --test', () => {
    const files = GOLDEN_CASES.flatMap(golden =>
      [...golden.snapshots.keys()].flatMap(step =>
        (['ipv4', 'ipv6'] as const)
          .map(family => [TOOLS[family], `iptables.${family}.${step}.save`] as const)
          .filter(([, name]) => expected(golden, name) !== undefined)
          .map(([tool, name]) => `${tool}-${variant}-restore --test ${path.join(golden.folder, 'expected', name)}`),
      ),
    )
    expect(files.length).toBeGreaterThan(100)
    const script = files.map(command => `${command} 2>/dev/null || echo '${command}'\n`)
    expect(inNamespace(script.join(''))).toBe('')
  })

  test('the counters of nfacct', ({ skip }) => {
    const rule = '-m conntrack --ctstate INVALID -m nfacct --nfacct-name ct_state_invalid_dropped_pkts -j DROP'
    const text = `*filter\n:INPUT ACCEPT [0:0]\n-A INPUT ${rule}\nCOMMIT\n`
    const output = inNamespace(
      `nfacct add ct_state_invalid_dropped_pkts 2>&1 || true\n(${loading(`iptables-${variant}-restore 2>&1`, text)}) || true\niptables-${variant}-save`,
    )
    if (!output.includes('-A INPUT')) skip(`the kernel or the tools lack nfacct: ${output.split('\n').slice(0, 2).join(' ')}`)
    expect(rulesByChain(parseRuleset(output))['filter INPUT']).toEqual([canonicalRule(rule)])
  })

  test('deltas loaded one by one with --noflush give the full render', () => {
    const samples = fc.sample(history, { seed: 2, numRuns: 12 })
    for (const family of ['ipv4', 'ipv6'] as const) {
      const tool = `${TOOLS[family]}-${variant}`
      const plays = samples.map(sample => play({ ...sample, host: HOST }, family))
      const script = plays.map(steps => {
        const texts = steps.map(({ operations }) => printRestore(operations)).filter(text => text !== '')
        const removal = loading(`${tool}-restore --noflush`, printRestore(steps.at(-1)?.state.remove() ?? []))
        return `${texts.map(text => loading(`${tool}-restore --noflush`, text)).join('')}${tool}-save; echo '=='\n${removal}`
      })
      const dumps = inNamespace(`${script.join('')}${tool}-save`).split('==\n')
      const left = rulesByChain(parseRuleset(dumps.pop() ?? ''))
      expect(Object.entries(left).filter(([name, rules]) => name.includes('KUBE-') || rules.length > 0)).toEqual([])
      expect(dumps.map(dump => rulesByChain(parseRuleset(dump)))).toEqual(plays.map(steps => rulesByChain(steps.at(-1)?.full ?? new Map())))
    }
  })
})
