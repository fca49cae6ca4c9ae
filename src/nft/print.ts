import type { Family } from '../address.ts'
import type { ChainObject, Command, MapObject, TableObject } from './objects.ts'
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
      return `${verb} element ${path} ${object.set} { ${object.key}${verb === 'delete' ? '' : elementTail(object.value, object.comment)} }`
  }
}

/** A transaction as an nft script, a command a line. */
export function printScript(commands: Iterable<Command>, table: TableName): string {
  let text = ''
  for (const command of commands) text += `${printCommand(command, table)}\n`
  return text
}

/** What stands in braces behind a declaration. */
export function block(verb: Command['verb'], parts: readonly string[]): string {
  return verb === 'add' && parts.length > 0 ? ` { ${parts.join(' ; ')} ; }` : ''
}

export function comments(comment: string | undefined): string[] {
  return comment === undefined ? [] : [`comment ${quoteComment(comment)}`]
}

function tableParts({ comment }: TableObject): string[] {
  return comments(comment)
}

export function chainParts({ hook, comment }: Omit<ChainObject, 'kind' | 'name'>): string[] {
  return [...(hook === undefined ? [] : [`type ${hook.type} hook ${hook.hook} priority ${hook.priority}`]), ...comments(comment)]
}

export function containerParts({ type, typeof: isTypeof, value, flags, timeout, comment }: Omit<MapObject, 'kind' | 'name'>): string[] {
  return [
    ...(type === undefined ? [] : [`${isTypeof === true ? 'typeof' : 'type'} ${type}${value === undefined ? '' : ` : ${value}`}`]),
    ...(flags === undefined ? [] : [`flags ${flags.join(',')}`]),
    ...(timeout === undefined ? [] : [`timeout ${timeout}s`]),
    ...comments(comment),
  ]
}

export function elementTail(value: string | undefined, comment: string | undefined): string {
  return `${comment === undefined ? '' : ` comment ${quoteComment(comment)}`}${value === undefined ? '' : ` : ${value}`}`
}
