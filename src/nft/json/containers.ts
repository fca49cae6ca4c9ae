import { parseAddress } from '../../address.ts'
import type { ElementData } from '../fragment.ts'
import type { MapDeclaration, SetDeclaration } from '../layouts/layout.ts'
import { protocolName } from '../protocols.ts'

type Part = string | number
type KeyJson = Part | { readonly concat: readonly Part[] } | { readonly [kind: string]: unknown }
interface WrappedJson {
  readonly elem: { readonly val: KeyJson; readonly comment?: string; readonly expires?: number }
}
type ElementJson = KeyJson | WrappedJson

/** A named set or map of a listing. Elements of a map are pairs. */
export interface ContainerJson {
  readonly name: string
  readonly type: string | readonly string[]
  readonly map?: string
  readonly flags?: readonly string[]
  readonly timeout?: number
  readonly comment?: string
  readonly elem?: readonly (ElementJson | readonly [ElementJson, KeyJson])[]
}

export function setDeclaration({ type, flags, timeout, comment }: ContainerJson): SetDeclaration {
  return {
    type: typeof type === 'string' ? type : type.join(' . '),
    ...(flags === undefined ? {} : { flags: flags.filter(flag => flag !== 'dynamic') }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(comment === undefined ? {} : { comment }),
  }
}

export function mapDeclaration(map: ContainerJson): MapDeclaration {
  return { ...setDeclaration(map), value: map.map ?? '' }
}

const NO_DATA: ElementData = {}

/** Elements in canonical spelling, by key; those that expire were added by rules and are not configuration. */
export function containerElements({ type, map, elem = [] }: ContainerJson): ReadonlyMap<string, ElementData> {
  const protocolAt = typeof type === 'string' ? (type === 'inet_proto' ? 0 : -1) : type.indexOf('inet_proto')
  const verdicts = new Map<string, string>()
  const elements = new Map<string, ElementData>()
  for (const item of elem) {
    const [element, valueJson] = map !== undefined ? (item as readonly [ElementJson, KeyJson]) : [item as ElementJson, undefined]
    let key = element as KeyJson
    let comment: string | undefined
    if (typeof element === 'object' && 'elem' in element) {
      const wrapped = (element as WrappedJson).elem
      if (wrapped.expires !== undefined) continue
      key = wrapped.val
      comment = wrapped.comment
    }
    const value = valueJson === undefined ? undefined : valueText(valueJson, verdicts)
    elements.set(
      keyText(key, protocolAt),
      value === undefined ? (comment === undefined ? NO_DATA : { comment }) : comment === undefined ? { value } : { value, comment },
    )
  }
  return elements
}

function keyText(key: KeyJson, protocolAt: number): string {
  if (typeof key !== 'object') return protocolAt === 0 ? protocolName(key) : partText(key)
  if (!('concat' in key)) return rangeText(key)
  const parts = key['concat'] as readonly Part[]
  let text = ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as Part
    if (i > 0) text += ' . '
    text += i === protocolAt ? protocolName(part) : partText(part)
  }
  return text
}

/** glibc prints the last groups of some IPv6 addresses as IPv4, which RFC 5952 leaves open and kubenft does not do. */
function partText(part: Part): string {
  if (typeof part === 'object') return rangeText(part)
  return typeof part === 'string' && part.includes(':') && part.includes('.') ? (parseAddress(part)?.text ?? part) : String(part)
}

/** Prefixes and ranges of interval sets, which no layout has. */
function rangeText(json: object): string {
  const { prefix, range } = json as { prefix?: { addr: string; len: number }; range?: readonly [Part, Part] }
  if (prefix !== undefined) return `${prefix.addr}/${prefix.len}`
  return range === undefined ? JSON.stringify(json) : range.join('-')
}

/** Verdicts lead to few chains, so their texts are made once each. */
function valueText(value: KeyJson, verdicts: Map<string, string>): string {
  if (typeof value !== 'object') return String(value)
  if ('concat' in value) return keyText(value, -1)
  const { goto, jump } = value as Readonly<Record<'goto' | 'jump', { readonly target: string } | undefined>>
  const to = goto ?? jump
  if (to === undefined) return Object.keys(value)[0] ?? ''
  const known = verdicts.get(to.target)
  if (known !== undefined && goto !== undefined) return known
  const text = `${goto === undefined ? 'jump' : 'goto'} ${to.target}`
  if (goto !== undefined) verdicts.set(to.target, text)
  return text
}
