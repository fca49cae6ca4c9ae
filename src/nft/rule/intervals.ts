import { parseAddress } from '../../address.ts'
import { formatIPv6, parseIPv6 } from '../../ipv6.ts'
import { isList, type Json, only } from './rule.ts'

interface Interval {
  readonly from: bigint
  readonly to: bigint
}

/**
 * The addresses of an anonymous set as the fewest intervals, sorted, each as an address, prefix or range: what nft makes of overlapping and
 * adjacent ones when it loads them. Undefined when the items are something else, or of two families.
 */
export function mergedAddresses(items: readonly Json[]): Json[] | undefined {
  const found: Interval[] = []
  let bits = 0
  for (const item of items) {
    const [from, to, length] = bounds(item)
    const first = addressNumber(from)
    const last = addressNumber(to)
    if (first === undefined || last === undefined || first.bits !== last.bits || (bits !== 0 && bits !== first.bits)) return undefined
    if (length !== undefined && length > first.bits) return undefined
    bits = first.bits
    const size = length === undefined ? 0n : (1n << BigInt(bits - length)) - 1n
    found.push({ from: first.value & ~size, to: last.value | size })
  }
  const merged: Interval[] = []
  for (const next of found.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const last = merged.at(-1)
    if (last === undefined || next.from > last.to + 1n) merged.push(next)
    else if (next.to > last.to) merged[merged.length - 1] = { from: last.from, to: next.to }
  }
  return merged.map(interval => intervalJson(interval, bits))
}

/** First and last address of an item, or its one address with a prefix length. */
function bounds(item: Json): readonly [Json, Json, number?] {
  if (typeof item !== 'object' || item === null || isList(item)) return [item, item]
  const [kind, json] = only(item)
  if (kind === 'range' && json !== null && typeof json === 'object' && isList(json)) return [json[0] ?? null, json[1] ?? null]
  if (kind !== 'prefix' || json === null || typeof json !== 'object' || isList(json)) return [null, null]
  const { addr = null, len = null } = json
  return typeof len === 'number' ? [addr, addr, len] : [null, null]
}

function addressNumber(text: Json): { readonly bits: number; readonly value: bigint } | undefined {
  const address = typeof text === 'string' ? parseAddress(text) : undefined
  if (address === undefined) return undefined
  const [parts, width] =
    address.family === 'ipv4' ? [address.text.split('.').map(Number), 8] : [parseIPv6(address.text, () => undefined) ?? [], 16]
  return { bits: parts.length * width, value: parts.reduce((value, part) => (value << BigInt(width)) | BigInt(part), 0n) }
}

function addressText(value: bigint, bits: number): string {
  const width = bits === 32 ? 8n : 16n
  const parts = Array.from({ length: bits / Number(width) }, (_, index) =>
    Number((value >> (BigInt(bits) - width * BigInt(index + 1))) & ((1n << width) - 1n)),
  )
  return bits === 32 ? parts.join('.') : formatIPv6(parts)
}

function intervalJson({ from, to }: Interval, bits: number): Json {
  const addr = addressText(from, bits)
  if (from === to) return addr
  const hostBits = (to - from + 1n).toString(2).length - 1
  const size = 1n << BigInt(hostBits)
  if (to - from + 1n === size && from % size === 0n) return { prefix: { addr, len: bits - hostBits } }
  return { range: [addr, addressText(to, bits)] }
}
