import { printRuleset } from '../iptables/print.ts'
import type { NodeContext } from '../model/types.ts'
import { type IpSet, type IpvsContents, NO_OPTIONS, type Options } from './contents.ts'
import { IpvsFragment } from './fragment.ts'
import { iptablesRules } from './iptables.ts'
import { ipvsNode } from './node.ts'
import { printAddresses, printSets, printVirtualServers } from './print.ts'
import { addServicePort, type IpvsView } from './service-port.ts'
import { SET_NAMES, SETS, setName, setOptions } from './sets.ts'

/** The texts for the tools, each loadable by its own. */
export interface IpvsTexts {
  /** For `ipvsadm -R`. */
  readonly ipvsadm: string
  /** For `ipset restore`. */
  readonly ipset: string
  /** For `iptables-restore --noflush`. */
  readonly iptables: string
  /** The addresses on kube-ipvs0, one a line. */
  readonly addresses: string
}

/** What kube-proxy 1.36 puts on a node in IPVS mode, in one family. The same services in any order give the same contents. */
export function ipvsContents(node: NodeContext, views: Iterable<IpvsView>): IpvsContents {
  const fragment = new IpvsFragment()
  const ipvs = ipvsNode(node)
  for (const view of views) addServicePort(view, ipvs, fragment)
  return {
    virtualServers: new Map(sorted(fragment.virtualServers)),
    sets: new Map(
      SET_NAMES.map(name => {
        const entries = new Map<string, Options>(sorted(fragment.entries.get(name) ?? []).map(([entry]) => [entry, NO_OPTIONS]))
        return [
          setName(name, node.family),
          { type: SETS[name].type, options: setOptions(SETS[name], node.family), entries } satisfies IpSet,
        ]
      }),
    ),
    addresses: new Set(sorted(fragment.addresses).map(([address]) => address)),
    iptables: iptablesRules(node, {
      isEmpty: set => !fragment.entries.has(set),
      outFilter: sorted(fragment.outFilter).map(([rule]) => rule),
    }),
  }
}

/** {@link ipvsContents} as the tools print and read it. */
export function renderIpvs(node: NodeContext, views: Iterable<IpvsView>): IpvsTexts {
  const { virtualServers, sets, addresses, iptables } = ipvsContents(node, views)
  return {
    ipvsadm: printVirtualServers(virtualServers),
    ipset: printSets(sets),
    iptables: printRuleset(iptables),
    addresses: printAddresses(addresses),
  }
}

function sorted<V>(entries: Iterable<[string, V]>): [string, V][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
}
