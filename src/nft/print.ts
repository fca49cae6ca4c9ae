import type { Family } from '../address.ts'
import type { ChainBody, ElementData, Fragment } from './fragment.ts'
import type { ChainObject, Command, ElementObject, MapObject, TableObject } from './objects.ts'
import { quoteComment } from './quote.ts'

/** The table that commands are about: `ip kubenft`. */
export interface TableName {
  readonly family: Family
  readonly table: string
}

export function tablePath({ family, table }: TableName): string {
  return `${family === 'ipv4' ? 'ip' : 'ip6'} ${table}`
}

/** One command as a line of an nft script, without the newline, in knftables' spelling. */
export function printCommand({ verb, object }: Command, table: TableName): string {
  const path = tablePath(table)
  switch (object.kind) {
    case 'table':
      return `${verb} table ${path}${block(verb, tableParts(object))}`
    case 'chain':
      return `${verb} chain ${path} ${object.name}${block(verb, chainParts(object))}`
    case 'rule':
      return `${verb} rule ${path} ${object.chain} ${object.text}`
    case 'set':
    case 'map':
      return `${verb} ${object.kind} ${path} ${object.name}${block(verb, containerParts(object))}`
    case 'element':
      return `${verb} element ${path} ${object.set} { ${object.key}${verb === 'delete' ? '' : elementTail(object)} }`
  }
}

/** A transaction as an nft script, a command a line. */
export function printScript(commands: Iterable<Command>, table: TableName): string {
  let text = ''
  for (const command of commands) text += `${printCommand(command, table)}\n`
  return text
}

function block(verb: Command['verb'], parts: readonly string[]): string {
  return verb === 'add' && parts.length > 0 ? ` { ${parts.join(' ; ')} ; }` : ''
}

function comments(comment: string | undefined): string[] {
  return comment === undefined ? [] : [`comment ${quoteComment(comment)}`]
}

function tableParts({ comment }: TableObject): string[] {
  return comments(comment)
}

function chainParts({ hook, comment }: Omit<ChainObject, 'kind' | 'name'>): string[] {
  return [...(hook === undefined ? [] : [`type ${hook.type} hook ${hook.hook} priority ${hook.priority}`]), ...comments(comment)]
}

function containerParts({ type, typeof: isTypeof, value, flags, timeout, comment }: Omit<MapObject, 'kind' | 'name'>): string[] {
  return [
    ...(type === undefined ? [] : [`${isTypeof === true ? 'typeof' : 'type'} ${type}${value === undefined ? '' : ` : ${value}`}`]),
    ...(flags === undefined ? [] : [`flags ${flags.join(',')}`]),
    ...(timeout === undefined ? [] : [`timeout ${timeout}s`]),
    ...comments(comment),
  ]
}

function elementTail({ value, comment }: Pick<ElementObject, 'value' | 'comment'>): string {
  return `${comment === undefined ? '' : ` comment ${quoteComment(comment)}`}${value === undefined ? '' : ` : ${value}`}`
}

/**
 * A full ruleset as an nft script: table, chains, sets, maps, rules, elements, each sorted by name or key, so that the same ruleset has the same bytes
 * and two of them diff well.
 */
export function printTable(fragment: Fragment, table: TableName, tableComment: string): string {
  const path = tablePath(table)
  let text = `add table ${path}${block('add', comments(tableComment))}\n`
  const chains = sorted<ChainBody>([
    ...fragment.chains,
    ...[...fragment.sharedChains].map(([name, { rules }]) => [name, { rules: rules() }] as const),
  ])
  for (const [name, body] of chains) text += `add chain ${path} ${name}${block('add', chainParts(body))}\n`
  for (const [name, set] of sorted(fragment.sets)) text += `add set ${path} ${name}${block('add', containerParts(set))}\n`
  for (const [name, map] of sorted(fragment.maps)) text += `add map ${path} ${name}${block('add', containerParts(map))}\n`
  for (const [name, { rules }] of chains) for (const rule of rules) text += `add rule ${path} ${name} ${rule}\n`
  const sets = [...fragment.elements].filter(([name]) => !fragment.maps.has(name))
  for (const [set, keys] of sorted<ReadonlyMap<string, unknown>>([...fragment.sharedElements, ...sets])) {
    const prefix = `add element ${path} ${set} { `
    for (const key of [...keys.keys()].sort()) text += `${prefix}${key} }\n`
  }
  for (const [map, elements] of sorted<ReadonlyMap<string, ElementData>>(
    [...fragment.elements].filter(([name]) => fragment.maps.has(name)),
  )) {
    const prefix = `add element ${path} ${map} { `
    for (const key of [...elements.keys()].sort()) text += `${prefix}${key}${elementTail(elements.get(key) ?? {})} }\n`
  }
  return text
}

function sorted<T>(entries: Iterable<readonly [string, T]>): (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
}
