import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { canonicalRule } from '../../src/nft/rule/canonical.ts'
import { parseRule } from '../../src/nft/rule/parse.ts'
import { contentsOf, goldenTables } from './tables.ts'

describe('rules of layouts', () => {
  test.each(Object.keys(LAYOUTS) as LayoutName[])(
    'of %s are all known, and in canonical spelling but for their anonymous sets',
    layoutName => {
      const rules = new Set(
        goldenTables(layoutName).flatMap(({ fragment }) =>
          [...contentsOf(fragment, undefined).chains.values()].flatMap(body => body.rules),
        ),
      )
      expect(rules.size).toBeGreaterThan(50)
      for (const rule of rules) {
        expect(parseRule(rule), rule).toBeDefined()
        const canonical = canonicalRule(rule)
        expect(canonicalRule(canonical)).toBe(canonical)
        if (!/[sd]addr (!= )?\{/.test(rule)) expect(canonical).toBe(rule)
      }
    },
  )
})

test.each([
  ['spaces', '  ip   saddr 10.0.0.0/8\tdrop ', 'ip saddr 10.0.0.0/8 drop'],
  [
    'the words of a listing',
    'meta mark & 0x00004000 != 0x00000000 meta mark set meta mark ^ 0x00004000',
    'mark and 0x00004000 != 0 mark set mark xor 0x00004000',
  ],
  ['numbers of marks', 'mark set mark or 0x4000', 'mark set mark or 0x00004000'],
  ['calculations', 'meta mark set meta mark & 0x000001ff | 0x00000100', 'mark set mark and 0x000001ff or 0x00000100'],
  ['quotes around an interface', 'iifname != "cali*" drop', 'iifname != cali* drop'],
  ['commas', 'ip saddr {10.0.0.0/8,11.1.1.1} drop', 'ip saddr { 10.0.0.0/8 , 11.1.1.1 } drop'],
  ['the order of a set', 'ip saddr { 11.1.1.1 , 10.0.0.0/8 } drop', 'ip saddr { 10.0.0.0/8 , 11.1.1.1 } drop'],
  ['ranges that overlap', 'ip saddr != { 10.0.0.0/8 , 10.1.0.0/16 , 192.0.2.0/24 } drop', 'ip saddr != { 10.0.0.0/8 , 192.0.2.0/24 } drop'],
  ['ranges that touch', 'ip saddr { 172.16.0.0/13 , 172.24.0.0/13 , 1.1.1.1 } drop', 'ip saddr { 1.1.1.1 , 172.16.0.0/12 } drop'],
  ['ranges that become no prefix', 'ip saddr { 10.0.0.1 , 10.0.0.2 , 10.0.0.3 } drop', 'ip saddr 10.0.0.1-10.0.0.3 drop'],
  ['IPv6 ranges', 'ip6 saddr { fd00::/17 , fd00:8000::/17 , ::1 } drop', 'ip6 saddr { ::1 , fd00::/16 } drop'],
  ['a set of one', 'ip daddr { 172.30.0.0/16 } drop', 'ip daddr 172.30.0.0/16 drop'],
  ['a prefix of one address', 'ip saddr 10.1.2.3/32 return', 'ip saddr 10.1.2.3 return'],
  ['the order of slots', 'numgen random mod 2 vmap { 1 : goto b, 0 : goto a }', 'numgen random mod 2 vmap { 0 : goto a , 1 : goto b }'],
  [
    'dnat by a map, as nft 1.0.6 lists it',
    'dnat ip to numgen random mod 1 map { 0 : 10.1.0.1 . 80 }',
    'dnat ip addr . port to numgen random mod 1 map { 0 : 10.1.0.1 . 80 }',
  ],
  ['the default of reject', 'reject with icmp port-unreachable', 'reject'],
  ['protocols by number', 'meta l4proto 6 dnat to 10.1.0.1:80', 'meta l4proto tcp dnat to 10.1.0.1:80'],
  ['IPv6 as glibc prints it', 'ip6 daddr ::10.0.0.1 drop', 'ip6 daddr ::a00:1 drop'],
  ['counters', 'counter packets 5 bytes 10 drop', 'counter drop'],
  ['an explicit ==', 'ip saddr == 10.1.2.3 drop', 'ip saddr 10.1.2.3 drop'],
])('one spelling of %s', (_, spelled, canonical) => {
  expect(canonicalRule(spelled)).toBe(canonical)
  expect(canonicalRule(canonical)).toBe(canonical)
})

test.each([
  ['ip saddr 10.0.0.0/8 drop', 'ip daddr 10.0.0.0/8 drop'],
  ['ip saddr 10.0.0.0/8 drop', 'ip saddr != 10.0.0.0/8 drop'],
  ['ip saddr { 10.0.0.1 , 10.0.0.3 } drop', 'ip saddr { 10.0.0.1 , 10.0.0.2 , 10.0.0.3 } drop'],
  ['drop', 'counter drop'],
  ['drop', 'drop comment "x"'],
  ['reject', 'reject with tcp reset'],
  ['masquerade fully-random', 'masquerade'],
  ['masquerade fully-random', 'masquerade random'],
  ['ct state new jump a', 'ct state established jump a'],
  ['ct state new jump a', 'ct state new,established jump a'],
  ['mark and 0x00000001 != 0 return', 'mark and 0x00000002 != 0 return'],
  ['mark and 0x00000001 != 0 return', 'mark and 0x00000001 == 0 return'],
  ['numgen random mod 2 vmap { 0 : goto a , 1 : goto b }', 'numgen random mod 2 vmap { 0 : goto b , 1 : goto a }'],
  ['numgen random mod 2 vmap { 0 : goto a , 1 : goto b }', 'numgen inc mod 2 vmap { 0 : goto a , 1 : goto b }'],
  ['dnat ip addr . port to numgen random mod 1 map { 0 : 10.1.0.1 . 80 }', 'dnat ip to numgen random mod 1 map { 0 : 10.1.0.1 }'],
  ['meta l4proto tcp drop', 'meta l4proto udp drop'],
  ['iifname eth0 drop', 'oifname eth0 drop'],
  ['jump a', 'goto a'],
])('%s is not %s', (one, other) => {
  expect(canonicalRule(one)).not.toBe(canonicalRule(other))
})

test.each([
  'limit rate 3/second log prefix "a \\ b" accept',
  'ip protocol tcp drop',
  'ip saddr 10.0.0.0/8 queue num 1',
  'tcp flags & (fin | syn) == syn drop',
  'mark set mark or 0x1 and 0x2',
  'meta skuid 0 accept',
  'drop comment "x" accept',
  'drop comment "x',
  'update @s { ip saddr timeout 5s }',
  'constructor',
  '',
])('%j is not a rule of a layout, and keeps its words', text => {
  if (text !== '') expect(parseRule(text)).toBeUndefined()
  expect(canonicalRule(text)).toBe(text)
})

test('any text at all has one spelling, and no more', () => {
  const words = fc.constantFrom(
    ...'ip saddr daddr != { } , . : 0 1 0x1 10.0.0.0/8 @s meta mark set or and tcp dport vmap map dnat to drop goto a comment "x" " numgen random mod'.split(
      ' ',
    ),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map(list => list.join(' ')),
      ),
      text => {
        const canonical = canonicalRule(text)
        expect(canonicalRule(canonical)).toBe(canonical)
      },
    ),
    { numRuns: 5000 },
  )
})
