import { type Family, parseAddress } from '../../address.ts'
import type { IpSets, VirtualServers } from '../../ipvs/contents.ts'
import { parseAddresses } from '../../ipvs/parse-addresses.ts'
import { parseSets } from '../../ipvs/parse-ipset.ts'
import { parseVirtualServers, virtualServersOf } from '../../ipvs/parse-ipvsadm.ts'
import { COMMANDS, type Dump, type DumpKind } from '../dumps/recognise.ts'
import { iptablesDumpOf } from '../dumps/select.ts'
import { readRuleset } from '../iptables/read.ts'
import type { IpvsDump } from './compare-ipvs.ts'

/**
 * What dumps say of IPVS mode in one family; undefined when they say nothing of it. All tools but iptables-save print both families at once; of
 * several families, one of which nothing is there counts as not dumped.
 */
export function readIpvsDump(dumps: readonly Dump[], family: Family, families: readonly Family[]): IpvsDump | undefined {
  const of = (kind: DumpKind): Dump[] => dumps.filter(dump => dump.kind === kind)
  const virtualServers: VirtualServers = new Map(of('ipvsadm').flatMap(({ text, file }) => [...parseVirtualServers(text, file)]))
  const sets: IpSets = new Map(of('ipset').flatMap(({ text, file }) => [...parseSets(text, file)]))
  const addresses = new Set(of('addresses').flatMap(({ text, file }) => [...parseAddresses(text, file)]))
  const rules = iptablesDumpOf(family, dumps, families)
  const isHere =
    rules !== undefined ||
    (families.length === 1 && dumps.some(({ kind }) => kind !== 'iptables')) ||
    virtualServersOf(virtualServers, family).size > 0 ||
    [...sets.keys()].some(name => name.startsWith('KUBE-') && name.startsWith('KUBE-6-') === (family === 'ipv6')) ||
    [...addresses].some(address => parseAddress(address)?.family === family)
  if (!isHere) return undefined
  return {
    ...(of('ipvsadm').length > 0 && { virtualServers }),
    ...(of('ipset').length > 0 && { sets }),
    ...(of('addresses').length > 0 && { addresses }),
    ...(rules !== undefined && { iptables: readRuleset(rules, 'ipvs') }),
  }
}

/** A note for what is not in the dumps. */
export function notDumped({ virtualServers, sets, addresses, iptables }: IpvsDump): string[] {
  const kinds = Object.entries({ ipvsadm: virtualServers, ipset: sets, addresses, iptables }).flatMap(([kind, content]) =>
    content === undefined ? [`\`${COMMANDS[kind as DumpKind]}\``] : [],
  )
  return kinds.length === 0 ? [] : [`not compared, since no dump has it: ${kinds.join(', ')}`]
}
