import type { ErrorObject } from 'ajv'
import { printable } from '../../diagnostics.ts'
import { FORMATS, type FormatName } from './formats.ts'

/** What is wrong, and what to do about it. */
export interface Sentence {
  readonly summary: string
  readonly detail: string
}

type Bounds = Readonly<Record<string, number>>

/** For each keyword of the schemas, how its error is said. Every error has the value (`data`) and the schema that it broke (`parentSchema`). */
const SENTENCES: Readonly<Record<string, (error: ErrorObject) => Sentence>> = {
  type: ({ data, params }) => ({
    summary: `${shown(data)} is ${kindOf(data)}, but must be ${nounOf(params.type)}`,
    detail:
      params.type === 'string'
        ? 'In YAML, put the value in quotes.'
        : params.type === 'integer' && typeof data === 'string'
          ? 'Write the number without quotes.'
          : 'Correct the field; `kubectl explain` prints its type.',
  }),
  required: ({ params }) => ({
    summary: `${params.missingProperty} is missing`,
    detail: 'Add it. The API server always fills it in: kubectl get … -o yaml prints complete objects.',
  }),
  enum: ({ data, params }) => ({
    summary: `${shown(data)} is not an allowed value`,
    detail: `Write one of ${(params.allowedValues as readonly string[]).map(value => value || "''").join(', ')}.`,
  }),
  format: ({ data, params, propertyName }) => {
    const { wrong, fix } = FORMATS[params.format as FormatName]
    return { summary: `${shown(propertyName ?? data)} ${wrong}`, detail: fix }
  },
  minimum: outOfRange,
  maximum: outOfRange,
  minItems: ({ params }) => ({ summary: `the list has fewer than ${params.limit} items`, detail: 'Add what is missing.' }),
  maxItems: ({ data, params }) => ({
    summary: `the list has ${(data as readonly unknown[]).length} items, more than the ${params.limit} that the API allows`,
    detail: 'Remove what is too much.',
  }),
  uniqueItems: ({ params }) => ({ summary: `items ${params.j} and ${params.i} are the same`, detail: 'Remove one of them.' }),
}

/** Says an error of ajv; undefined for those that only repeat another (of the keywords that hold schemas). */
export function sentenceOf(error: ErrorObject): Sentence | undefined {
  return SENTENCES[error.keyword]?.(error)
}

function outOfRange({ data, parentSchema }: ErrorObject): Sentence {
  const { minimum, maximum } = parentSchema as Bounds
  return { summary: `${shown(data)} is out of range`, detail: `Write a whole number from ${minimum} to ${maximum}.` }
}

/** A value of the snapshot for a sentence: short, without control characters, and only the size of what has parts. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${printable(value, 60)}"`
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return `{${printable(Object.keys(value).slice(0, 3).join(', '), 60)}…}`
  return String(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return nounOf(typeof value)
}

function nounOf(type: string): string {
  return (
    { string: 'a string', number: 'a number', integer: 'a whole number', boolean: 'true or false', array: 'a list' }[type] ?? 'an object'
  )
}
