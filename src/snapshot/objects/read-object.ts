import { printable } from '../../diagnostics.ts'
import { isDNSLabel, isDNSSubdomain } from '../../names.ts'
import { project } from '../validation/project.ts'
import type { ObjectProblem } from '../validation/service-rules.ts'
import { type Fields, isFields } from './candidates.ts'
import { KINDS, type KindName, type ObjectTypes } from './kinds.ts'

/**
 * The fields of an object that are read, validated. An object without namespace is in `default`, where kubectl would create it.
 * @returns undefined when there were problems
 */
export function readObject<K extends KindName>(
  name: K,
  fields: Fields,
  problem: ObjectProblem,
  brief: boolean,
): ObjectTypes[K] | undefined {
  const { schema, validator, namespaced, check } = KINDS[name]
  const copy = project(schema, fields) as { metadata?: { namespace?: unknown } }
  if (namespaced && isFields(copy.metadata)) copy.metadata.namespace ||= 'default'
  if (!validator.check(copy, problem, brief)) return undefined
  const object = { kind: name, ...copy }
  let isRight = true
  check?.(object as never, (...args) => {
    isRight = false
    problem(...args)
  })
  return isRight ? (object as unknown as ObjectTypes[K]) : undefined
}

/** `Service shop/web`; only the kind when the object has no usable name. */
export function objectName(kind: string, { metadata }: Fields): string | undefined {
  if (!isFields(metadata)) return undefined
  const { name, namespace } = metadata
  if (typeof name !== 'string' || !isDNSSubdomain(name)) return undefined
  if (kind in KINDS && !KINDS[kind as KindName].namespaced) return `${kind} ${name}`
  return `${printable(kind, 60)} ${typeof namespace === 'string' && isDNSLabel(namespace) ? namespace : 'default'}/${name}`
}
