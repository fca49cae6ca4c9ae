import type { FormatName } from '../validation/formats.ts'

/**
 * The part of JSON Schema that the schemas use. Fields that a schema does not name are tolerated and left out (see `validation/project.ts`);
 * null means absent, as it does to Kubernetes.
 */
export type Schema = StringSchema | NumberSchema | BooleanSchema | ArraySchema | ObjectSchema

export interface StringSchema {
  readonly type: 'string'
  readonly format?: FormatName
  readonly enum?: readonly string[]
}

export interface NumberSchema {
  readonly type: 'integer'
  readonly minimum: number
  readonly maximum: number
}

export interface BooleanSchema {
  readonly type: 'boolean'
}

export interface ArraySchema {
  readonly type: 'array'
  readonly items: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

export interface ObjectSchema {
  readonly type: 'object'
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  /** For a map with keys of any name; excludes `properties`. */
  readonly additionalProperties?: Schema
  readonly propertyNames?: { readonly format: FormatName }
  readonly if?: object
  readonly then?: object
  readonly else?: object
}

export const text = (format?: FormatName): StringSchema => (format === undefined ? { type: 'string' } : { type: 'string', format })
export const oneOf = (...values: string[]): StringSchema => ({ type: 'string', enum: values })
export const integer = (minimum: number, maximum: number): NumberSchema => ({ type: 'integer', minimum, maximum })
export const boolean: BooleanSchema = { type: 'boolean' }
export const list = (items: Schema, limits: Omit<ArraySchema, 'type' | 'items'> = {}): ArraySchema => ({ type: 'array', items, ...limits })
export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): ObjectSchema => ({
  type: 'object',
  properties,
  required,
})

export const port: NumberSchema = integer(1, 65535)
export const portOrZero: NumberSchema = integer(0, 65535)
export const protocol: StringSchema = oneOf('TCP', 'UDP', 'SCTP')
export const ipFamily: StringSchema = oneOf('IPv4', 'IPv6')
