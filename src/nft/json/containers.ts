import type { ElementData } from '../fragment.ts'
import type { MapDeclaration, SetDeclaration } from '../layouts/layout.ts'
import { expressionText } from '../rule/print.ts'
import type { Json } from '../rule/rule.ts'
import { addressSpelling, markNumber, protocolName } from '../spelling.ts'

type PartJson =
  | string
  | number
  | { readonly prefix: { readonly addr: string; readonly len: number } }
  | { readonly range: readonly [string | number, string | number] }
type VerdictJson = Readonly<
  Partial<Record<'goto' | 'jump', { readonly target: string }> & Record<'accept' | 'drop' | 'return' | 'continue', null>>
>
type TupleJson = PartJson | { readonly concat: readonly PartJson[] }
interface WrappedJson {
  readonly elem: { readonly val: TupleJson; readonly comment?: string; readonly expires?: number }
}
type KeyJson = TupleJson | WrappedJson
type ValueJson = TupleJson | VerdictJson

/** By name, in several parts, or since nft 1.1.2 as the expressions of a `typeof`. */
type TypeJson = string | readonly string[] | { readonly typeof: Json }

/** A named set or map of a listing. Elements of a map are pairs. */
export interface ContainerJson {
  readonly name: string
  readonly type: TypeJson
  readonly map?: TypeJson
  readonly flags?: string | readonly string[]
  readonly timeout?: number
  readonly comment?: string
  readonly elem?: readonly (KeyJson | readonly [KeyJson, ValueJson])[]
}

export function setDeclaration({ type, flags, timeout, comment }: ContainerJson): SetDeclaration {
  return {
    type: typeText(type),
    ...(isTypeof(type) ? { typeof: true } : {}),
    ...(flags === undefined ? {} : { flags: [flags].flat().filter(flag => flag !== 'dynamic') }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(comment === undefined ? {} : { comment }),
  }
}

export function mapDeclaration(map: ContainerJson): MapDeclaration {
  return { ...setDeclaration(map), value: typeText(map.map ?? '') }
}

function isTypeof(type: TypeJson): type is { readonly typeof: Json } {
  return typeof type === 'object' && 'typeof' in type
}

function typeText(type: TypeJson): string {
  if (isTypeof(type)) return expressionText(type.typeof) ?? JSON.stringify(type)
  return [type].flat().join(' . ')
}

/** Elements in canonical spelling, by key; those that expire were added by rules and are not configuration. */
export function containerElements({ type, map, elem = [] }: ContainerJson): ReadonlyMap<string, ElementData> {
  const spellings = isTypeof(type) ? [] : [type].flat().map(part => SPELLINGS[part] ?? addressOrNumber)
  const verdicts = new Map<string, string>()
  const elements = new Map<string, ElementData>()
  for (const item of elem) {
    const [keyJson, value] = map === undefined ? [item as KeyJson] : (item as readonly [KeyJson, ValueJson])
    const { val, comment, expires } = typeof keyJson === 'object' && 'elem' in keyJson ? keyJson.elem : { val: keyJson }
    if (expires === undefined) elements.set(tupleText(val, spellings), elementData(value, comment, verdicts))
  }
  return elements
}

const NO_DATA: ElementData = {}

function elementData(json: ValueJson | undefined, comment: string | undefined, verdicts: Map<string, string>): ElementData {
  if (json === undefined) return comment === undefined ? NO_DATA : { comment }
  const value = valueText(json, verdicts)
  return comment === undefined ? { value } : { value, comment }
}

type Spelling = (part: string | number) => string

/** How the values of types are spelled that nft prints otherwise in text than in JSON, or depending on the host. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  inet_proto: protocolName,
  mark: part => (typeof part === 'number' ? markNumber(part) : part),
  ifname: part => `"${part}"`,
}

function addressOrNumber(part: string | number): string {
  return typeof part === 'string' ? addressSpelling(part) : String(part)
}

function tupleText(json: TupleJson, spellings: readonly Spelling[]): string {
  if (typeof json !== 'object' || !('concat' in json)) return partText(json, spellings[0])
  const { concat } = json
  let text = ''
  for (let i = 0; i < concat.length; i++) {
    const part = concat[i] as PartJson
    if (i > 0) text += ' . '
    text += partText(part, spellings[i])
  }
  return text
}

function partText(part: PartJson, spelling: Spelling = addressOrNumber): string {
  if (typeof part !== 'object') return spelling(part)
  if ('prefix' in part) return `${part.prefix.addr}/${part.prefix.len}`
  return 'range' in part ? part.range.join('-') : JSON.stringify(part)
}

/** Verdicts lead to few chains, so each text is made once. */
function valueText(json: ValueJson, verdicts: Map<string, string>): string {
  if (typeof json !== 'object' || 'concat' in json || 'prefix' in json || 'range' in json) return tupleText(json, [])
  if (json.goto === undefined) return json.jump === undefined ? Object.keys(json).join() : `jump ${json.jump.target}`
  const { target } = json.goto
  let text = verdicts.get(target)
  if (text === undefined) {
    text = `goto ${target}`
    verdicts.set(target, text)
  }
  return text
}
