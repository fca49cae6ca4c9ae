import type { IpSet, IpSets, Options } from './contents.ts'
import { eachLine, optionsOf, wordsOf } from './lines.ts'

/** Options of sets and entries that take a value (ipset 7); the others, such as `counters` and `nomatch`, are words of their own. */
const CREATE_WITH_VALUE: ReadonlySet<string> = new Set([
  'family',
  'hashsize',
  'maxelem',
  'bucketsize',
  'initval',
  'timeout',
  'netmask',
  'bitmask',
  'markmask',
  'range',
  'size',
])
const ADD_WITH_VALUE: ReadonlySet<string> = new Set([
  'timeout',
  'packets',
  'bytes',
  'comment',
  'skbmark',
  'skbprio',
  'skbqueue',
  'before',
  'after',
])

/**
 * Parses what `ipset save` prints: sets of any type with their options, and entries with comments, timeouts and counters. Words that are not known
 * are kept as they stand.
 * @param file name of the dump in diagnostics
 * @throws DiagnosticsError when a line is anything else, such as the output of `ipset list`
 */
export function parseSets(text: string, file?: string): IpSets {
  const sets = new Map<string, IpSet & { readonly entries: Map<string, Options> }>()
  eachLine(text, file, line => {
    const [command, name, subject, ...rest] = wordsOf(line)
    if ((command !== 'create' && command !== 'add') || name === undefined || subject === undefined)
      return `"${line}" is nothing that ipset save prints`
    const set = sets.get(name)
    if (command === 'create') {
      if (set !== undefined) return `set ${name} is created twice`
      sets.set(name, { type: subject, options: optionsOf(rest, CREATE_WITH_VALUE), entries: new Map() })
      return undefined
    }
    if (set === undefined) return `there is no set ${name} above`
    set.entries.set(subject, optionsOf(rest, ADD_WITH_VALUE))
    return undefined
  })
  return sets
}

/** Options that say how the kernel stores a set, not what it holds: they differ from one machine to the next and with every growth. */
const STORAGE = /^(?:hashsize|bucketsize|initval) /

/**
 * Sets in a form in which those that mean the same are equal, whoever printed them: without the kernel's choice of storage, and with single hosts
 * without prefix length where an entry ends in a network, as the kernel prints them.
 */
export function canonicalSets(sets: IpSets): IpSets {
  return new Map(
    [...sets].map(([name, { type, options, entries }]) => {
      const host = type.endsWith('net') ? (options.includes('family inet6') ? /\/128$/ : /\/32$/) : undefined
      const canonical = host === undefined ? entries : new Map([...entries].map(([entry, rest]) => [entry.replace(host, ''), rest]))
      return [name, { type, options: options.filter(option => !STORAGE.test(option)), entries: canonical }]
    }),
  )
}
