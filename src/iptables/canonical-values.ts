import { parseAddress, parseCIDR } from '../address.ts'
import type { Option } from './options.ts'

const PROTOCOLS: Readonly<Record<string, string>> = {
  '1': 'icmp',
  '6': 'tcp',
  '17': 'udp',
  '58': 'ipv6-icmp',
  icmpv6: 'ipv6-icmp',
  '132': 'sctp',
}
const ALL_BITS = 0xffff_ffff

/** A protocol by its name; undefined for all of them, which match nothing in particular. */
export function protocol(text: string): string | undefined {
  const name = text.toLowerCase()
  return name === 'all' || name === '0' ? undefined : (PROTOCOLS[name] ?? name)
}

/** `10.0.0.1/32` is `10.0.0.1`, `10.1.2.3/255.0.0.0` is `10.0.0.0/8`; what is not a network stays as it is. */
export function network(text: string): string {
  const [address = '', mask] = text.split('/')
  const prefix = mask === undefined ? undefined : prefixLength(mask)
  const parsed = mask === undefined ? parseAddress(text) : parseCIDR(`${address}/${prefix ?? mask}`)
  if (parsed === undefined) return text
  return parsed.text.replace(parsed.family === 'ipv4' ? /\/32$/ : /\/128$/, '')
}

/** The length of a dotted netmask; undefined when it is no such mask. */
function prefixLength(mask: string): number | undefined {
  if (!mask.includes('.')) return undefined
  const bits = mask
    .split('.')
    .map(part => Number(part).toString(2).padStart(8, '0'))
    .join('')
  return /^1*0*$/.test(bits) && bits.length === 32 ? bits.lastIndexOf('1') + 1 : undefined
}

/** Whether every address is in a network as `network` spells it. */
export function isEverything(text: string): boolean {
  return text === '0.0.0.0/0' || text === '::/0'
}

function hex(number: number): string {
  return `0x${(number >>> 0).toString(16)}`
}

/** `value[/mask]` of a mark in hexadecimal; undefined when it is not that. */
function markParts(text: string): readonly [number, number] | undefined {
  const [value, mask = ALL_BITS] = text.split('/').map(Number)
  return value === undefined || !Number.isInteger(value) || !Number.isInteger(mask) ? undefined : [value, mask]
}

export function mark(text: string): string {
  const parts = markParts(text)
  return parts === undefined ? text : parts.map(hex).join('/')
}

/** The MARK target's ways to say what it does as the one that iptables-save uses: clear the bits of a mask, then turn those of a value over. */
export function setMark({ name, values: [text = ''] }: Option): string {
  const parts = markParts(text)
  if (parts === undefined) return `${name} ${text}`
  const [value, mask] = parts
  const xmark = (bits: number, cleared: number): string => `--set-xmark ${hex(bits)}/${hex(cleared)}`
  switch (name) {
    case '--and-mark':
      return xmark(0, ~value)
    case '--or-mark':
      return xmark(value, value)
    case '--xor-mark':
      return xmark(value, 0)
    case '--set-mark':
      return xmark(value, value | mask)
    default:
      return xmark(value, mask)
  }
}

/** The kernel holds a probability in 31 bits: 0.3333333333 comes back as 0.33333333349. */
export function probability(text: string): string {
  const steps = Math.round(Number(text) * 2 ** 31)
  return Number.isNaN(steps) ? text : `${steps}/2147483648`
}

/** Lists of states, types or flags, in any order. */
export function list(text: string): string {
  return text.split(',').sort().join(',')
}
