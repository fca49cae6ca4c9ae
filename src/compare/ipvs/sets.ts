import type { Family } from '../../address.ts'
import type { IpSet, IpSets } from '../../ipvs/contents.ts'
import type { Difference } from '../difference.ts'
import type { IpvsOwners } from './owners.ts'

/** Options that let a set or an entry keep more than what it holds. */
const EXTENSION = /^(?:counters|comment|skbinfo|packets|bytes)\b/

/** Compares sets in their canonical form. kube-proxy's names begin with `KUBE-`, those of IPv6 with `KUBE-6-`; others are left out. */
export function* compareSets(wanted: IpSets, live: IpSets, family: Family, owners: IpvsOwners): Generator<Difference> {
  for (const [name, set] of wanted) {
    const found = live.get(name)
    if (found === undefined) yield { kind: 'missing', object: `set ${name}`, wanted: [declaration(set)], found: [], services: [] }
    else if (declaration(set) !== declaration(found))
      yield { kind: 'different', object: `set ${name}`, wanted: [declaration(set)], found: [declaration(found)], services: [] }
    yield* compareEntries(name, set.entries, found?.entries ?? new Map(), owners)
  }
  for (const [name, set] of live) {
    if (wanted.has(name) || !name.startsWith('KUBE-') || name.startsWith('KUBE-6-') !== (family === 'ipv6')) continue
    yield { kind: 'extra', object: `set ${name}`, wanted: [], found: [declaration(set)], services: [] }
    yield* compareEntries(name, new Map(), set.entries, owners)
  }
}

function* compareEntries(name: string, wanted: IpSet['entries'], live: IpSet['entries'], owners: IpvsOwners): Generator<Difference> {
  const object = `entry of set ${name}`
  for (const [entry, options] of wanted) {
    const found = live.get(entry)
    const [before, after] = [entryText(entry, options), found === undefined ? undefined : entryText(entry, found)]
    if (before === after) continue
    const kind = after === undefined ? 'missing' : 'different'
    yield { kind, object, wanted: [before], found: after === undefined ? [] : [after], services: owners.ofEntry(name, entry) }
  }
  for (const [entry, options] of live)
    if (!wanted.has(entry))
      yield { kind: 'extra', object, wanted: [], found: [entryText(entry, options)], services: owners.ofEntry(name, entry) }
}

function declaration({ type, options }: IpSet): string {
  return [type, ...options.filter(option => !EXTENSION.test(option)).toSorted()].join(' ')
}

function entryText(entry: string, options: readonly string[]): string {
  return [entry, ...options.filter(option => !EXTENSION.test(option))].join(' ')
}
