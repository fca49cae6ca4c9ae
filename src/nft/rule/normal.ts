import { addressSpelling } from '../spelling.ts'
import { mergedAddresses } from './intervals.ts'
import { isList, type Json, list, only, type Rule } from './rule.ts'

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
  const result: Record<string, Json> = {}
  for (const [key, value] of Object.entries(json)) {
    if (key === 'right') result[key] = normalValue(value)
    else if (key === 'data') result[key] = normalData(value)
    else result[key] = normal(value)
  }
  return result
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
