import type { TableContents } from '../nft/contents.ts'
import type { ElementData } from '../nft/fragment.ts'
import type { Command, ElementObject } from '../nft/objects.ts'

/** Where a table came from, as it is kept in the table itself. */
export interface Metadata {
  /** When it was applied, RFC 3339 in UTC. */
  readonly applied: string
  /** Digest of the objects that it was made from. */
  readonly snapshot: string
  /** The files that were named, shortened. */
  readonly files: string
  readonly layout: string
  readonly node: string
  /** Version of kubenft. */
  readonly version: string
  /** `fingerprint` of what the table held after it: tells, without a snapshot, whether somebody changed it since. */
  readonly contents: string
}

/**
 * The set that holds them: an element a fact, with `name=value` as its comment. A set of its own, because the JSON listing of nft 1.0.6 leaves out the
 * comments of chains and tables, and an element's comment can be changed in the transaction that it tells of.
 */
const SET = 'kubenft-applied'
const DECLARATION = { type: 'mark', comment: 'where this table came from' } as const
const FACTS = ['applied', 'snapshot', 'files', 'layout', 'node', 'version', 'contents'] as const satisfies readonly (keyof Metadata)[]

/** nft takes comments of up to 128 bytes, the closing zero among them. */
const LONGEST = 127

/** The commands that put metadata in the place of those that a table has. */
export function metadataCommands(metadata: Metadata, live: Partial<Metadata> | undefined): Command[] {
  const elements = FACTS.map(name => elementOf(name, metadata[name]))
  if (live !== undefined && FACTS.every(name => live[name] !== undefined)) {
    const changed = elements.filter(
      (element, index) => element.comment !== commentOf(FACTS[index] as string, live[FACTS[index] as keyof Metadata] ?? ''),
    )
    return [
      ...changed.map(({ comment: _, ...object }): Command => ({ verb: 'delete', object })),
      ...changed.map((object): Command => ({ verb: 'add', object })),
    ]
  }
  return [
    ...(live === undefined ? [] : [{ verb: 'delete', object: { kind: 'set', name: SET } } as const]),
    { verb: 'add', object: { kind: 'set', name: SET, ...DECLARATION } },
    ...elements.map((object): Command => ({ verb: 'add', object })),
  ]
}

function elementOf(name: keyof Metadata, value: string): ElementObject {
  return { kind: 'element', set: SET, map: false, key: keyOf(name), comment: commentOf(name, value) }
}

/** To the second. */
export function rfc3339(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** As nft prints a mark. */
function keyOf(name: keyof Metadata): string {
  return `0x${(FACTS.indexOf(name) + 1).toString(16).padStart(8, '0')}`
}

/** What nft can take of a text: printable ASCII without quotes, as much as fits. */
function commentOf(name: string, value: string): string {
  return `${name}=${value.replaceAll(/[^ !#-~]/g, '?')}`.slice(0, LONGEST)
}

/** Takes the metadata out of a table's contents: they are not rules, and no drift. Undefined when there are none. */
export function splitMetadata(table: TableContents): {
  readonly contents: TableContents
  readonly metadata: Partial<Metadata> | undefined
} {
  if (!table.sets.has(SET)) return { contents: table, metadata: undefined }
  const sets = new Map(table.sets)
  const elements = new Map(table.elements)
  sets.delete(SET)
  elements.delete(SET)
  return { contents: { ...table, sets, elements }, metadata: readMetadata(table.elements.get(SET)) }
}

function readMetadata(elements: ReadonlyMap<string, ElementData> | undefined): Partial<Metadata> {
  const found: Partial<Record<keyof Metadata, string>> = {}
  for (const name of FACTS) {
    const { comment } = elements?.get(keyOf(name)) ?? {}
    if (comment?.startsWith(`${name}=`)) found[name] = comment.slice(name.length + 1)
  }
  return found
}
