import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Schema } from '../schemas/schema.ts'
import { FORMATS } from './formats.ts'
import { fieldPath } from './path.ts'
import { sentenceOf } from './sentences.ts'
import type { ObjectProblem } from './service-rules.ts'

/** Values inside an object from which on only its first problem is looked for, so that a hostile list cannot make a million errors. */
const LARGE = 50_000

/**
 * A compiled schema. Two functions: one stops at the first error and is fast, the other finds all errors of the few objects that have one.
 * Compiled on first use: a command that reads no KubeProxyConfiguration need not pay for it.
 */
export class Validator {
  readonly #schema: Schema
  #first: ValidateFunction | undefined
  #all: ValidateFunction | undefined

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** Reports every problem of a value (only the first when `brief`), one a field; returns whether there is none. */
  check(value: unknown, problem: ObjectProblem, brief = false): boolean {
    this.#first ??= compile(this.#schema, false)
    if (this.#first(value)) return true
    let errors = this.#first.errors
    if (!brief && !isLarge(value)) {
      this.#all ??= compile(this.#schema, true)
      this.#all(value)
      errors = this.#all.errors
    }
    const seen = new Set<string>()
    for (const error of errors ?? []) {
      const path = pathOf(error)
      const sentence = sentenceOf(error)
      if (sentence === undefined || seen.has(path)) continue
      seen.add(path)
      problem(path, sentence.summary, sentence.detail)
    }
    return false
  }
}

function compile(schema: Schema, allErrors: boolean): ValidateFunction {
  return new Ajv({ allErrors, verbose: true, strict: true, strictTypes: false, formats: FORMATS }).compile(schema)
}

function pathOf({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const field = keyword === 'required' ? params.missingProperty : propertyName
  return fieldPath(instancePath, field)
}

function isLarge(value: unknown): boolean {
  let values = 0
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const parts = Object.values(next)
    values += parts.length
    if (values > LARGE) return true
    for (const part of parts) open.push(part)
  }
  return false
}
