import { iptablesRuleset, type Ruleset } from '../../src/iptables/index.ts'
import { ipvsContents } from '../../src/ipvs/index.ts'
import type { NodeContext, ServicePortView } from '../../src/model/types.ts'
import { LAYOUTS, type Layout } from '../../src/nft/layouts/index.ts'
import { fullFragment } from '../../src/nft/render.ts'

/** One thing that a mode has on a node. */
export interface Thing {
  /** Such as `rule`, `element` or `virtual server`. */
  readonly kind: string
  readonly text: string
}

export interface ModeColumn {
  readonly title: string
  readonly mode: 'nftables' | 'iptables' | 'ipvs'
  readonly layout: Layout['name']
  things(node: NodeContext, views: readonly ServicePortView[]): Thing[]
}

/** The columns of the table. */
export const COLUMNS: readonly ModeColumn[] = [
  { title: 'nftables, `maps`', mode: 'nftables', layout: 'maps', things: (node, views) => nft(LAYOUTS.maps, node, views) },
  {
    title: 'nftables, `kube-proxy-1.36`',
    mode: 'nftables',
    layout: 'kube-proxy-1.36',
    things: (node, views) => nft(LAYOUTS['kube-proxy-1.36'], node, views),
  },
  { title: 'iptables', mode: 'iptables', layout: 'maps', things: (node, views) => rules(iptablesRuleset(node, views)) },
  { title: 'IPVS', mode: 'ipvs', layout: 'maps', things: ipvs },
]

function nft(layout: Layout, node: NodeContext, views: readonly ServicePortView[]): Thing[] {
  const { chains, sharedChains, sets, maps, elements, sharedElements } = fullFragment(layout, node, views)
  const all = [
    ...[...chains].map(([name, { rules }]) => [name, rules] as const),
    ...[...sharedChains].map(([name, { rules }]) => [name, rules()] as const),
  ]
  return [
    ...all.map(([name]) => ({ kind: 'chain', text: `chain ${name}` })),
    ...all.flatMap(([name, texts]) => texts.map(text => ({ kind: 'rule', text: `${name}: ${text}` }))),
    ...[...sets].map(([name, { type }]) => ({ kind: 'set', text: `set ${name} { type ${type} }` })),
    ...[...maps].map(([name, { type }]) => ({ kind: 'map', text: `map ${name} { type ${type} }` })),
    ...[...sharedElements].flatMap(([name, keys]) => [...keys.keys()].map(key => ({ kind: 'element', text: `${name} { ${key} }` }))),
    ...[...elements].flatMap(([name, keys]) =>
      [...keys].map(([key, { value }]) => ({ kind: 'element', text: `${name} { ${key}${value === undefined ? '' : ` : ${value}`} }` })),
    ),
  ]
}

function rules(ruleset: Ruleset): Thing[] {
  return [...ruleset].flatMap(([, chains]) =>
    [...chains].flatMap(([name, { rules: texts }]) => [
      { kind: 'chain', text: `chain ${name}` },
      ...texts.map(text => ({ kind: 'rule', text: `${name}: ${text}` })),
    ]),
  )
}

function ipvs(node: NodeContext, views: readonly ServicePortView[]): Thing[] {
  const { virtualServers, sets, addresses, iptables } = ipvsContents(node, views)
  return [
    ...[...virtualServers].map(([service, { options }]) => ({ kind: 'virtual server', text: `${service} ${options.join(' ')}` })),
    ...[...virtualServers].flatMap(([service, { destinations }]) =>
      [...destinations].map(([name, options]) => ({ kind: 'destination', text: `${service} -r ${name} ${options.join(' ')}` })),
    ),
    ...[...sets].map(([name, { type }]) => ({ kind: 'ipset', text: `${name} ${type}` })),
    ...[...sets].flatMap(([name, { entries }]) => [...entries.keys()].map(entry => ({ kind: 'set entry', text: `${name} ${entry}` }))),
    ...[...addresses].map(address => ({ kind: 'address', text: `address ${address}` })),
    ...rules(iptables),
  ]
}
