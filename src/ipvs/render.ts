import { printRuleset } from '../iptables/print.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import { type IpSet, type IpvsContents, NO_OPTIONS, type Options, type VirtualServer } from './contents.ts'
import { IpvsFragment } from './fragment.ts'
import { iptablesRules } from './iptables.ts'
import { ipvsNode } from './node.ts'
import { printAddresses, printSets, printVirtualServers } from './print.ts'
import { addServicePort } from './service-port.ts'
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
export function ipvsContents(node: NodeContext, views: Iterable<ServicePortView>): IpvsContents {
  const fragment = new IpvsFragment()
  const ipvs = ipvsNode(node)
  for (const view of views) addServicePort(view, ipvs, fragment)
  const virtualServers = new Map<string, VirtualServer>()
  for (const service of sortedKeys(fragment.virtualServers))
    virtualServers.set(service, fragment.virtualServers.get(service) as VirtualServer)
  return {
    virtualServers,
    sets: new Map(
      SET_NAMES.map(name => {
        const entries = new Map<string, Options>()
        for (const entry of sortedKeys(fragment.entries.get(name))) entries.set(entry, NO_OPTIONS)
        return [
          setName(name, node.family),
          { type: SETS[name].type, options: setOptions(SETS[name], node.family), entries } satisfies IpSet,
        ]
      }),
    ),
    addresses: new Set(sortedKeys(fragment.addresses)),
    iptables: iptablesRules(node, {
      isEmpty: set => !fragment.entries.has(set),
      outFilter: sortedKeys(fragment.outFilter),
    }),
  }
}

/** {@link ipvsContents} as the tools print and read it. */
export function renderIpvs(node: NodeContext, views: Iterable<ServicePortView>): IpvsTexts {
  const { virtualServers, sets, addresses, iptables } = ipvsContents(node, views)
  return {
    ipvsadm: printVirtualServers(virtualServers),
    ipset: printSets(sets),
    iptables: printRuleset(iptables),
    addresses: printAddresses(addresses),
  }
}

function sortedKeys(map: ReadonlyMap<string, unknown> | undefined): string[] {
  return map === undefined ? [] : [...map.keys()].sort()
}
