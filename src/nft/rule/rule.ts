/** A value of nft's JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/**
 * A rule in the form of nft's JSON (libnftables-json(5)): a list of statements, each an object with one key. It is the one form between the script's
 * text, a listing's text and JSON.
 */
export interface Rule {
  readonly expr: readonly Json[]
  readonly comment?: string | undefined
}

/** Thrown inside the rule code where a rule has something that kubenft does not write itself; turned into an opaque rule at its edge. */
export class UnknownRule extends Error {
  override readonly name = 'UnknownRule'
}

/** The only key of a statement or expression, and what is behind it. */
export function only(json: Json): readonly [string, Json] {
  const [entry, more] = Object.entries(object(json))
  if (entry === undefined || more !== undefined) throw new UnknownRule()
  return entry
}

export function object(json: Json | undefined): { readonly [key: string]: Json } {
  if (typeof json !== 'object' || json === null || isList(json)) throw new UnknownRule()
  return json
}

export function list(json: Json | undefined): readonly Json[] {
  if (json === undefined || !isList(json)) throw new UnknownRule()
  return json
}

export function word(json: Json | undefined): string {
  if (typeof json !== 'string') throw new UnknownRule()
  return json
}

export function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}

/** An object's fields, when it has no others: a field that is not known might change what the rule does. */
export function fields<K extends string>(json: Json, ...known: readonly K[]): { readonly [key in K]?: Json } {
  const found = object(json)
  for (const key in found) if (!(known as readonly string[]).includes(key)) throw new UnknownRule()
  return found as { readonly [key in K]?: Json }
}
