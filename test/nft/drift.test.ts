import { describe, expect, test } from 'vitest'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { Fragment } from '../../src/nft/fragment.ts'
import { readTableJson } from '../../src/nft/json/read.ts'
import { readListing } from '../../src/nft/listing.ts'
import { respell } from '../../src/nft/respell.ts'
import { canonicalRule } from '../../src/nft/rule/canonical.ts'
import { inNamespace, loading } from '../support/kernel.ts'
import { plain, SEPARATOR } from './tables.ts'

const NAME = { family: 'ipv4', table: 't' } as const

/** What both listings give of a table's body. `list` may ask for more than the table, `mount` change files for the listing alone. */
function read(body: string, { list = 'list table ip t', before = '', mount = 'true' } = {}) {
  const listing = `${mount}; nft ${list}; echo "${SEPARATOR}"; nft -j ${list}`
  const output = inNamespace(`${before}${loading(`table ip t {\n${body}\n}\n`)}unshare --mount sh -ec '${listing}'`)
  const [text = '', json = ''] = output.split(`${SEPARATOR}\n`)
  return { text: readListing(text, NAME)!, json: readTableJson(json, NAME)! }
}

const RULES = [
  'ip saddr 10.0.0.0/8 limit rate 3/second drop',
  'log prefix "drop" drop',
  'tcp flags & (fin | syn) == syn drop',
  'ip protocol udp accept',
  'meta skuid 0 accept',
  'ct state established,related accept',
  'counter drop',
  'ip saddr != { 10.0.0.1 , 10.0.0.3 } ip daddr @s drop',
  'update @d { ip saddr timeout 5s }',
]

test('a rule that no layout writes is kept, and equals no rule of a layout', () => {
  const sets = 'set s { type ipv4_addr; }\nset d { type ipv4_addr; flags dynamic, timeout; timeout 1m; }'
  const { text, json } = read(`${sets}\nchain c {\n${RULES.join('\n')}\ndrop\n}`)
  for (const rules of [text.chains.get('c')!.rules, json.chains.get('c')!.rules]) {
    expect(rules).toHaveLength(RULES.length + 1)
    expect(rules.at(-1)).toBe('drop')
    expect(new Set(rules).size).toBe(rules.length)
  }
  for (const rule of text.chains.get('c')!.rules) expect(canonicalRule(rule)).toBe(rule)
  expect(text.chains.get('c')!.rules.slice(5, 8)).toEqual(json.chains.get('c')!.rules.slice(5, 8))
})

test('a base chain that drops has a hook like no other', () => {
  const { text, json } = read('chain c { type filter hook input priority 0; policy drop; }')
  for (const { chains } of [text, json]) expect(chains.get('c')!.hook).not.toEqual({ type: 'filter', hook: 'input', priority: 0 })
  expect(plain(text)).toEqual(plain(json))
})

test('elements that expire are state of the kernel, comments and values that look like it are not', () => {
  const { text, json } = read(`
    set d { type ipv4_addr; flags dynamic, timeout; timeout 1h; elements = { 10.0.0.1, 10.0.0.2 }; }
    set s { type ipv4_addr; flags timeout; elements = { 10.0.0.1 comment " timeout 1s expires 1s", 10.0.0.2 timeout 1d }; }
    map m { type ipv4_addr . inet_proto : verdict; elements = { 10.0.0.1 . tcp comment "} , : \\ #" : goto c, 10.0.0.2 . udp : drop }; }
    chain c { update @d { ip saddr }; }`)
  for (const { elements } of [text, json]) {
    expect(Object.fromEntries([...elements].map(([name, keys]) => [name, Object.fromEntries(keys)]))).toEqual({
      s: { '10.0.0.1': { comment: ' timeout 1s expires 1s' } },
      m: { '10.0.0.1 . tcp': { value: 'goto c', comment: '} , : \\ #' }, '10.0.0.2 . udp': { value: 'drop' } },
    })
  }
  expect(plain(text)).toEqual(plain(json))
  expect(text.sets.get('d')).toEqual({ type: 'ipv4_addr', flags: ['dynamic', 'timeout'], timeout: 3600 })
})

test('sets of other types read alike from both listings', () => {
  const { text, json } = read(`
    set marks { type mark; elements = { 0x1 comment "a=b", 0x4000 }; }
    set ranges { type ipv4_addr; flags interval; elements = { 10.0.0.0/8, 192.0.2.1-192.0.2.5, 203.0.113.1 }; }
    set names { type ifname; elements = { "eth0", "map" }; }
    map to { type ipv4_addr : ipv4_addr . inet_service; elements = { 10.0.0.1 : 10.1.0.1 . 80 }; }`)
  expect(plain(text)).toEqual(plain(json))
  expect([...text.elements.get('marks')!.keys()].sort()).toEqual(['0x00000001', '0x00004000'])
})

test('protocols are named even where /etc/protocols is missing', () => {
  const { text, json } = read(
    `map m { type ipv4_addr . inet_proto . inet_service : verdict; elements = { 10.0.0.6 . tcp . 6 : drop, 10.0.0.6 . sctp . 17 : drop }; }
     set p { type inet_proto; elements = { tcp, udp }; }
     chain c { meta l4proto udp dnat to 10.0.0.1:80; meta l4proto { tcp, udp } drop; }`,
    { mount: 'mount --bind /dev/null /etc/protocols' },
  )
  for (const { elements, chains } of [text, json]) {
    expect([...elements.get('m')!.keys()].sort()).toEqual(['10.0.0.6 . sctp . 17', '10.0.0.6 . tcp . 6'])
    expect([...elements.get('p')!.keys()].sort()).toEqual(['tcp', 'udp'])
    expect(chains.get('c')!.rules).toEqual(['meta l4proto udp dnat to 10.0.0.1:80', 'meta l4proto { tcp , udp } drop'])
  }
})

test('other tables, and handles, are passed over', () => {
  const other = loading(
    'table ip other {\n chain c { accept; }\n set t { type ipv4_addr; elements = { 1.2.3.4 }; }\n}\ntable ip6 t {\n chain six { accept; }\n}\n',
  )
  for (const list of ['list ruleset', '-a list ruleset']) {
    const { text, json } = read('chain c { drop; }\nchain empty { }', { list, before: other })
    expect(plain(text)).toEqual(plain(json))
    expect([...text.chains]).toEqual([
      ['c', { rules: ['drop'] }],
      ['empty', { rules: [] }],
    ])
  }
})

test('what later versions of nft list otherwise is read too', () => {
  const typeof_ = (...expressions: object[]): object => ({ typeof: { concat: expressions } })
  const payload = (protocol: string, field: string): object => ({ payload: { protocol, field } })
  const place = { family: 'ip', table: 't' }
  const numgen = { numgen: { mode: 'random', mod: 65_536, offset: 0 } }
  const found = readTableJson(
    JSON.stringify({
      nftables: [
        { table: { family: 'ip', name: 't', comment: 'ours' } },
        { set: { ...place, name: 's', type: 'ipv4_addr', flags: 'interval' } },
        { set: { ...place, name: 'd', type: 'ipv4_addr', flags: ['timeout', 'dynamic'] } },
        {
          map: {
            ...place,
            name: 'm',
            type: typeof_(payload('tcp', 'dport'), numgen),
            map: typeof_(payload('ip', 'daddr'), payload('tcp', 'dport')),
          },
        },
        { chain: { ...place, name: 'c', comment: 'kept' } },
        {
          rule: {
            ...place,
            chain: 'c',
            expr: [{ set: { op: 'update', elem: payload('ip', 'saddr'), set: '@d' } }, { masquerade: { flags: ['fully-random'] } }],
          },
        },
      ],
    }),
    NAME,
  )
  expect(found).toEqual({
    comment: 'ours',
    chains: new Map([['c', { comment: 'kept', rules: ['update @d { ip saddr } masquerade fully-random'] }]]),
    sets: new Map([
      ['s', { type: 'ipv4_addr', flags: ['interval'] }],
      ['d', { type: 'ipv4_addr', flags: ['dynamic', 'timeout'] }],
    ]),
    maps: new Map([['m', { typeof: true, type: 'tcp dport . numgen random mod 65536', value: 'ip daddr . tcp dport' }]]),
    elements: new Map(),
  })
})

test('a table that is not there is undefined', () => {
  const listing = 'table ip other {\n\tchain c {\n\t}\n}\n'
  expect(readListing(listing, NAME)).toBeUndefined()
  expect(readListing(listing.replace('other', 't'), { family: 'ipv6', table: 't' })).toBeUndefined()
  expect(readTableJson('{"nftables": [{"table": {"family": "ip", "name": "other"}}]}', NAME)).toBeUndefined()
})

describe('what is no listing is an error, never an empty table', () => {
  test.each(['', '\n', 'hello', 'table ip t {', 'table ip t {\n\tchain c {\n', 'add table ip t'])('%j as text', text => {
    expect(() => readListing(text, NAME)).toThrow(DiagnosticsError)
  })
  test.each(['', '\n', 'hello', '{', '[]', '{}', 'null', '{"nftables": 1}'])('%j as JSON', text => {
    expect(() => readTableJson(text, NAME)).toThrow(DiagnosticsError)
  })
})

test('respell changes words, never meaning', () => {
  const wanted = new Fragment({ sharedSets: new Set() })
  wanted.chain('c', ['ip saddr != { 192.0.2.0/24 , 10.0.0.0/8 } drop', 'ip daddr { 10.0.0.0/8 } drop', 'jump a'])
  wanted.map('m', { typeof: true, type: 'ip daddr . tcp dport . numgen random mod 65536', value: 'ip daddr . tcp dport' })
  wanted.map('n', { typeof: true, type: 'ip daddr . tcp dport', value: 'ip daddr . tcp dport' })
  const { json } = read(`
    map m { typeof ip daddr . tcp dport . numgen random mod 65536 : ip daddr . tcp dport; }
    map n { type ipv4_addr . inet_proto : ipv4_addr . inet_service; }
    chain c { ip saddr != { 192.0.2.0/24, 10.0.0.0/8 } drop; ip daddr { 11.0.0.0/8 } drop; goto a; jump a; }
    chain a { }`)
  const spelled = respell(json, wanted)
  expect(spelled.chains.get('c')!.rules).toEqual([wanted.chains.get('c')!.rules[0], 'ip daddr 11.0.0.0/8 drop', 'goto a', 'jump a'])
  expect(spelled.maps.get('m')).toEqual(wanted.maps.get('m'))
  expect(spelled.maps.get('n')).toEqual({ type: 'ipv4_addr . inet_proto', value: 'ipv4_addr . inet_service' })
})
