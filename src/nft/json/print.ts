import type { ChainObject, Command, ElementObject, MapObject, NftObject, SetObject } from '../objects.ts'
import { type TableName, tablePath } from '../print.ts'
import { parseExpressionText, parseRule } from '../rule/parse.ts'
import type { Json } from '../rule/rule.ts'
import { keyJson, valueJson } from './values.ts'

type JsonObject = { readonly [key: string]: Json }

/**
 * Commands in the form that `nft -j -f` loads, a command a line; elements that follow each other go into one command.
 *
 * What nft takes depends on its version. A map or set that is declared with `typeof`, as the layout `maps` does, needs nft 1.1.2: the JSON of 1.0.6 has
 * no words for it, and none for a map whose values have several parts. 1.0.6 ignores the comments of tables and chains. The flag `dynamic` is left out:
 * 1.0.6 does not know it, and every nft sets it itself when a rule in the same transaction updates the set.
 *
 * @throws Error for a rule that kubenft does not write itself
 */
export function printJson(commands: Iterable<Command>, table: TableName): string {
  return jsonDocument(jsonLines(commands, table))
}

/** Commands of several tables as one document, which nft takes as one transaction. */
export function jsonDocument(lines: readonly string[]): string {
  return `{"nftables": [\n${[JSON.stringify({ metainfo: { json_schema_version: 1 } }), ...lines].join(',\n')}\n]}\n`
}

/** The commands of one table, for a document. */
export function jsonLines(commands: Iterable<Command>, table: TableName): string[] {
  const lines: string[] = []
  const [family = '', name = ''] = tablePath(table).split(' ')
  const place = { family, table: name }
  let elements: Json[] = []
  let open: { readonly verb: Command['verb']; readonly set: string } | undefined
  const close = (): void => {
    if (open !== undefined) lines.push(JSON.stringify({ [open.verb]: { element: { ...place, name: open.set, elem: elements } } }))
    open = undefined
    elements = []
  }
  for (const { verb, object } of commands) {
    if (object.kind === 'element') {
      if (open?.verb !== verb || open.set !== object.set) close()
      open ??= { verb, set: object.set }
      elements.push(elementJson(object, verb))
      continue
    }
    close()
    lines.push(JSON.stringify({ [verb]: { [object.kind]: objectJson(object, place) } }))
  }
  close()
  return lines
}

function objectJson(object: Exclude<NftObject, ElementObject>, place: { readonly family: string; readonly table: string }): JsonObject {
  const { family, table } = place
  switch (object.kind) {
    case 'table':
      return { family, name: table, ...commentJson(object) }
    case 'chain':
      return { ...place, name: object.name, ...hookJson(object), ...commentJson(object) }
    case 'set':
    case 'map':
      return { ...place, name: object.name, ...declarationJson(object), ...commentJson(object) }
    case 'rule': {
      const rule = parseRule(object.text)
      if (rule === undefined) throw new Error(`a rule that has no JSON form: ${object.text}`)
      return { ...place, chain: object.chain, ...commentJson(rule), expr: rule.expr }
    }
  }
}

function commentJson({ comment }: { readonly comment?: string | undefined }): JsonObject {
  return comment === undefined ? {} : { comment }
}

function hookJson({ hook }: ChainObject): JsonObject {
  return hook === undefined ? {} : { type: hook.type, hook: hook.hook, prio: hook.priority }
}

function declarationJson(set: SetObject | MapObject): JsonObject {
  const { type, typeof: isTypeof = false, timeout } = set
  const value = 'value' in set ? set.value : undefined
  const flags = set.flags?.filter(flag => flag !== 'dynamic') ?? []
  return {
    ...(type === undefined ? {} : { type: typeJson(type, isTypeof) }),
    ...(value === undefined ? {} : { map: typeJson(value, isTypeof) }),
    ...(flags.length === 0 ? {} : { flags }),
    ...(timeout === undefined ? {} : { timeout }),
  }
}

function typeJson(type: string, isTypeof: boolean): Json {
  if (type === 'verdict') return type
  if (isTypeof) return { typeof: parseExpressionText(type) }
  const types = type.split(' . ')
  return types.length === 1 ? type : types
}

function elementJson({ key, value, comment }: ElementObject, verb: Command['verb']): Json {
  const bare = keyJson(key)
  if (verb === 'delete') return bare
  const wrapped = comment === undefined ? bare : { elem: { val: bare, comment } }
  return value === undefined ? wrapped : [wrapped, valueJson(value)]
}
