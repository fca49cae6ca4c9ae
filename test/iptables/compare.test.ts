import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Chain, compareRulesets, IPTABLES_OWNERSHIP, iptablesRuleset, type Ruleset } from '../../src/iptables/index.ts'
import { seen } from './clusters.ts'

const compare = (wanted: Ruleset, live: Ruleset) => compareRulesets(wanted, live, IPTABLES_OWNERSHIP)

/** The ruleset with one chain replaced, or taken away. */
function changed(ruleset: Ruleset, table: string, name: string, rules: readonly string[] | undefined): Ruleset {
  const chains = new Map(ruleset.get(table))
  if (rules === undefined) chains.delete(name)
  else chains.set(name, { policy: chains.get(name)?.policy ?? '-', rules })
  return new Map(ruleset).set(table, chains)
}

const ruleset = (chains: Record<string, readonly string[]>): Ruleset =>
  new Map([['nat', new Map(Object.entries(chains).map(([name, rules]): [string, Chain] => [name, { policy: '-', rules }]))]])

describe('random clusters', () => {
  test('what others have in the tables makes no difference', () => {
    fc.assert(
      fc.property(seen, ({ node, views }) => {
        const wanted = iptablesRuleset(node, views)
        let live = changed(wanted, 'filter', 'DOCKER-USER', ['-j RETURN'])
        live = changed(live, 'filter', 'INPUT', ['-i lo -j ACCEPT', ...(wanted.get('filter')?.get('INPUT')?.rules ?? []), '-j DOCKER-USER'])
        live = changed(live, 'nat', 'KUBE-KUBELET-CANARY', [])
        live = new Map(live).set('mangle', new Map([['KUBE-PROXY-CANARY', { policy: '-', rules: [] }]]))
        expect(compare(wanted, live)).toEqual([])
      }),
    )
  })

  test('two rulesets have no difference exactly when they hold the same', () => {
    const plain = (rules: Ruleset) =>
      [...rules].map(([table, chains]) => [
        table,
        [...chains].map(([name, chain]) => [name, IPTABLES_OWNERSHIP.isUnordered(name) ? [...chain.rules].sort() : chain.rules]).sort(),
      ])
    fc.assert(
      fc.property(seen, seen, ({ node, views }, other) => {
        const [wanted, live] = [iptablesRuleset(node, views), iptablesRuleset({ ...other.node, family: node.family }, other.views)]
        const same = JSON.stringify(plain(wanted)) === JSON.stringify(plain(live))
        expect(compare(wanted, live).length === 0).toBe(same)
        expect(compare(wanted, iptablesRuleset(node, [...views].reverse()))).toEqual([])
      }),
    )
  })
})

describe('each kind of difference', () => {
  const SVC = 'KUBE-SVC-AAAAAAAAAAAAAAAA'
  const SEP = 'KUBE-SEP-BBBBBBBBBBBBBBBB'
  const first = '-m comment --comment "shop/web:http -> 10.1.0.1:80" -j A'
  const second = '-m comment --comment "shop/web:http -> 10.1.0.2:80" -j B'

  test.each([
    ['missing', { [SVC]: [first] }, {}, { missingRules: [first], extraRules: [] }],
    ['extra', {}, { [SVC]: [first] }, { missingRules: [], extraRules: [first] }],
    ['different', { [SVC]: [first] }, { [SVC]: [second] }, { missingRules: [first], extraRules: [second] }],
    ['different', { [SVC]: [first] }, { [SVC]: [first, first] }, { missingRules: [], extraRules: [first] }],
    ['reordered', { [SVC]: [first, second] }, { [SVC]: [second, first] }, { missingRules: [], extraRules: [] }],
  ] as const)('%s', (kind, wanted, live, rules) => {
    expect(compare(ruleset(wanted), ruleset(live))).toEqual([{ kind, table: 'nat', chain: SVC, ...rules, servicePorts: ['shop/web:http'] }])
  })

  test('a jump from a built-in chain', () => {
    const jump = `-m comment --comment "kubernetes service portals" -j ${SEP}`
    expect(compare(ruleset({ OUTPUT: [jump] }), ruleset({ OUTPUT: ['-j DOCKER'] }))).toEqual([
      { kind: 'different', table: 'nat', chain: 'OUTPUT', missingRules: [jump], extraRules: [], servicePorts: [] },
    ])
    expect(compare(ruleset({ INPUT: [] }), ruleset({}))).toEqual([])
  })

  test('masquerading with random ports is as good as without', () => {
    const live = ruleset({ 'KUBE-POSTROUTING': ['-m comment --comment "x" -j MASQUERADE --random-fully'] })
    expect(compare(ruleset({ 'KUBE-POSTROUTING': ['-m comment --comment "x" -j MASQUERADE'] }), live)).toEqual([])
  })
})
