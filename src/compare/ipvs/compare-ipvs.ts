import { parseAddress } from '../../address.ts'
import type { Ruleset } from '../../iptables/ruleset.ts'
import type { IpSets, IpvsContents, VirtualServer, VirtualServers } from '../../ipvs/contents.ts'
import { canonicalSets } from '../../ipvs/parse-ipset.ts'
import { virtualServersOf } from '../../ipvs/parse-ipvsadm.ts'
import { ipvsContents } from '../../ipvs/render.ts'
import { isExcluded } from '../../ipvs/servers-state.ts'
import type { NodeContext, ServicePortView } from '../../model/types.ts'
import { type Difference, difference, type FamilyComparison } from '../difference.ts'
import { compareRules } from '../iptables/compare-rules.ts'
import { IpvsOwners } from './owners.ts'
import { IPVS_OWNERSHIP } from './ownership.ts'
import { compareSets } from './sets.ts'

/** What was dumped of a node in IPVS mode; the rest is not compared. Virtual servers, sets and addresses may be of both families. */
export interface IpvsDump {
  readonly virtualServers?: VirtualServers
  readonly sets?: IpSets
  readonly addresses?: ReadonlySet<string>
  readonly iptables?: Ruleset
}

/** Compares dumps with what kube-proxy has in IPVS mode: virtual servers, sets, addresses on kube-ipvs0 and the rules around them. */
export function compareIpvs(node: NodeContext, views: readonly ServicePortView[], dump: IpvsDump): FamilyComparison {
  const wanted = ipvsContents(node, views)
  const owners = new IpvsOwners(node, views)
  const draining: string[] = []
  const differences: Difference[] = []
  if (dump.virtualServers !== undefined)
    differences.push(...compareServers(wanted, virtualServersOf(dump.virtualServers, node.family), node, owners, draining))
  if (dump.sets !== undefined) differences.push(...compareSets(canonicalSets(wanted.sets), canonicalSets(dump.sets), node.family, owners))
  if (dump.addresses !== undefined) differences.push(...compareAddresses(wanted, dump.addresses, node, owners))
  if (dump.iptables !== undefined) differences.push(...compareRules(wanted.iptables, dump.iptables, IPVS_OWNERSHIP, owners, new Set()))
  return { family: node.family, differences, notes: draining }
}

function* compareServers(
  { virtualServers: wanted }: IpvsContents,
  live: VirtualServers,
  node: NodeContext,
  owners: IpvsOwners,
  notes: string[],
): Generator<Difference> {
  for (const [service, server] of wanted) {
    const services = owners.ofServer(service)
    const found = live.get(service)
    if (found === undefined) {
      yield { kind: 'missing', object: 'virtual server', wanted: serverLines(service, server), found: [], services }
      continue
    }
    const [before, after] = [serverOptions(server), serverOptions(found)]
    if (before !== after)
      yield { kind: 'different', object: 'virtual server', wanted: [`${service} ${before}`], found: [`${service} ${after}`], services }
    yield* compareDestinations(service, server, found, owners, notes)
  }
  for (const [service, server] of live) {
    if (!wanted.has(service) && !isExcluded(service, node))
      yield { kind: 'extra', object: 'virtual server', wanted: [], found: serverLines(service, server), services: owners.ofServer(service) }
  }
}

function* compareDestinations(
  service: string,
  { destinations: wanted }: VirtualServer,
  { destinations: live }: VirtualServer,
  owners: IpvsOwners,
  notes: string[],
): Generator<Difference> {
  const text = (name: string, options: readonly string[]): string => `${service} -r ${name} ${[...options].sort().join(' ')}`
  for (const name of new Set([...wanted.keys(), ...live.keys()])) {
    const [before, after] = [wanted.get(name), live.get(name)]
    if (before === undefined && after?.includes('-w 0') === true) {
      notes.push(`${service} -r ${name} has weight 0: kube-proxy waits for its last connections to end`)
      continue
    }
    const texts = [before, after].map(options => (options === undefined ? [] : [text(name, options)]))
    const [ours = [], theirs = []] = texts
    if (ours[0] === theirs[0]) continue
    const changed = difference('destination', ours, theirs, owners.ofServer(service))
    if (changed !== undefined) yield changed
  }
}

/** Without the netmask of persistence when it is the default, which some versions print. */
function serverOptions({ options }: VirtualServer): string {
  return options
    .filter(option => option !== '-M 255.255.255.255' && option !== '-M 128')
    .toSorted()
    .join(' ')
}

function serverLines(service: string, server: VirtualServer): string[] {
  const destinations = [...server.destinations].map(([name, options]) => `${service} -r ${name} ${options.join(' ')}`)
  return [`${service} ${serverOptions(server)}`, ...destinations]
}

function* compareAddresses(
  { addresses: wanted }: IpvsContents,
  live: ReadonlySet<string>,
  { family }: NodeContext,
  owners: IpvsOwners,
): Generator<Difference> {
  const object = 'address on kube-ipvs0'
  for (const address of wanted)
    if (!live.has(address)) yield { kind: 'missing', object, wanted: [address], found: [], services: owners.ofAddress(address) }
  for (const address of live) {
    if (!wanted.has(address) && parseAddress(address)?.family === family)
      yield { kind: 'extra', object, wanted: [], found: [address], services: owners.ofAddress(address) }
  }
}
