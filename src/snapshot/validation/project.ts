import type { Schema } from '../schemas/schema.ts'

/** V8 keeps the whole text alive for a slice of it from this length on. */
const SLICED_LENGTH = 13

/**
 * A copy of a value with only the fields that its schema names and without nulls, which to Kubernetes mean absent. So little is kept
 * of an object (managed fields, annotations and selectors go), in one hidden class a kind, and nothing of the text it was read from.
 * A value of another type than the schema's is kept as it is, for validation to complain about.
 */
export function project(schema: Schema, value: unknown): unknown {
  if (typeof value === 'string') return value.length < SLICED_LENGTH ? value : detached(value)
  if (typeof value !== 'object' || value === null) return value
  if (schema.type === 'array') return Array.isArray(value) ? value.map(item => project(schema.items, item)) : value
  if (schema.type !== 'object' || Array.isArray(value)) return value
  const source = value as Readonly<Record<string, unknown>>
  const copy: Record<string, unknown> = {}
  if (schema.properties !== undefined) {
    for (const key in schema.properties) {
      // hasOwn: a snapshot's "__proto__" is an own key, but nothing may come from a prototype.
      const field = Object.hasOwn(source, key) ? source[key] : undefined
      if (field !== undefined && field !== null) copy[key] = project(schema.properties[key] as Schema, field)
    }
  } else if (schema.additionalProperties !== undefined) {
    for (const key of Object.keys(source)) {
      if (key === '__proto__') return source
      copy[key] = project(schema.additionalProperties, source[key] ?? '')
    }
  }
  return copy
}

/** The same characters in memory of their own. */
function detached(text: string): string {
  return Buffer.from(text).toString()
}
