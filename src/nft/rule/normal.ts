import { addressSpelling } from '../spelling.ts'
import { mergedAddresses } from './intervals.ts'
import { isList, type Json, list, object, only, type Rule } from './rule.ts'

/**
 * The rule in one of the forms that mean the same: the one that the kernel gives back. nft merges and sorts the ranges of an anonymous set, sorts the slots of
 * a map and drops the braces around a single value.
 */
export function normalRule({ expr, comment }: Rule): Rule {
  return { expr: expr.map(normal), comment }
}

function normal(json: Json): Json {
  if (typeof json === 'string') return addressSpelling(json)
  if (json === null || typeof json !== 'object') return json
  if (isList(json)) return json.map(normal)
  if ('left' in json && 'right' in json) return normalMatch(json)
  const result: Record<string, Json> = {}
  for (const [key, value] of Object.entries(json)) {
    result[key] = key === 'data' ? normalData(value) : normal(value)
  }
  return result
}

/** nft prints a match of a mark's highest bits as a prefix: `mark 0x00000000/1` for `mark and 0x80000000 == 0`. */
function normalMatch(match: { readonly [key: string]: Json }): Json {
  const { left = null, right = null } = match
  if (right !== null && typeof right === 'object' && 'prefix' in right) {
    const { addr = null, len = null } = object(right['prefix'])
    if (typeof addr === 'number' && typeof len === 'number')
      return { ...match, left: { '&': [left, 2 ** 32 - 2 ** (32 - len)] }, right: addr }
  }
  return { ...match, left: normal(left), right: normalValue(right) }
}

/** What a match compares with. */
function normalValue(json: Json): Json {
  if (json === null || typeof json !== 'object' || isList(json)) return normal(json)
  const [kind, value] = only(json)
  if (kind !== 'set') return kind === 'prefix' || kind === 'range' ? (mergedAddresses([json])?.[0] ?? json) : normal(json)
  const items = mergedAddresses(list(value)) ?? sorted(list(value).map(normal))
  return items.length === 1 && items[0] !== undefined ? items[0] : { set: items }
}

function normalData(json: Json): Json {
  return typeof json === 'object' && json !== null && 'set' in json ? { set: sorted(list(json['set']).map(normal)) } : json
}

function sorted(items: readonly Json[]): Json[] {
  return items.toSorted((a, b) => compare(first(a), first(b)))
}

function first(item: Json): Json {
  return item !== null && typeof item === 'object' && isList(item) ? (item[0] ?? null) : item
}

function compare(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)]
  return textA < textB ? -1 : textA > textB ? 1 : 0
}
