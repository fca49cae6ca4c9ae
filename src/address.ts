import { formatIPv6, mappedIPv4, parseIPv6 } from './ipv6.ts'

/** An IP family in kubenft's own spelling; Kubernetes writes IPv4 and IPv6. */
export type Family = 'ipv4' | 'ipv6'

/** A canonical address or CIDR with its family. `text` is safe to print in every rule format. */
export interface ParsedAddress {
  readonly family: Family
  readonly text: string
}

/** Longest text worth parsing: a full IPv4-mapped IPv6 address has 45 characters, a prefix adds four. */
const MAX_LENGTH = 64
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/** One IPv4 address; Kubernetes' sloppy parser reads leading zeros as decimal (nft would read them as octal). */
function parseIPv4(text: string): string | undefined {
  let dots = 0
  let digits = 0
  let octet = 0
  let padded = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      if (digits === 0) return undefined
      dots++
      digits = 0
      octet = 0
    } else if (code >= ZERO && code <= NINE) {
      if (digits > 0 && octet === 0) padded = true
      digits++
      octet = octet * 10 + code - ZERO
      if (octet > 255) return undefined
    } else return undefined
  }
  if (dots !== 3 || digits === 0) return undefined
  return padded ? text.split('.').map(Number).join('.') : text
}

/**
 * Parses an address as Kubernetes does (k8s.io/utils/net ParseIPSloppy): leading zeros are decimal, IPv4-mapped IPv6 is IPv4,
 * zones and anything else are refused. IPv6 is printed as RFC 5952 wants it.
 */
export function parseAddress(text: string): ParsedAddress | undefined {
  if (text.length > MAX_LENGTH) return undefined
  if (!text.includes(':')) {
    const v4 = parseIPv4(text)
    return v4 === undefined ? undefined : { family: 'ipv4', text: v4 }
  }
  const groups = parseIPv6(text, parseIPv4)
  if (groups === undefined) return undefined
  const v4 = mappedIPv4(groups)
  return v4 === undefined ? { family: 'ipv6', text: formatIPv6(groups) } : { family: 'ipv4', text: v4 }
}

/**
 * Parses a CIDR as Kubernetes does (ParseCIDRSloppy), masking host bits: `10.1.2.3/8` is `10.0.0.0/8`. A prefix length is decimal digits
 * without sign. A range within the IPv4-mapped addresses is IPv4: `::ffff:10.0.0.0/104` is `10.0.0.0/8`.
 */
export function parseCIDR(text: string): ParsedAddress | undefined {
  const slash = text.indexOf('/')
  if (slash < 0 || text.length > MAX_LENGTH) return undefined
  const digits = text.slice(slash + 1)
  if (!/^\d+$/.test(digits)) return undefined
  const prefix = Number(digits)
  const address = text.slice(0, slash)
  if (!address.includes(':')) {
    const v4 = parseIPv4(address)
    if (v4 === undefined || prefix > 32) return undefined
    return { family: 'ipv4', text: `${mask(v4.split('.').map(Number), 8, prefix).join('.')}/${prefix}` }
  }
  const groups = parseIPv6(address, parseIPv4)
  if (groups === undefined || prefix > 128) return undefined
  const network = mask(groups, 16, prefix)
  const v4 = mappedIPv4(network)
  return v4 === undefined ? { family: 'ipv6', text: `${formatIPv6(network)}/${prefix}` } : { family: 'ipv4', text: `${v4}/${prefix - 96}` }
}

/** Keeps the first `prefix` bits of an address in parts of `size` bits. */
function mask(parts: readonly number[], size: 8 | 16, prefix: number): number[] {
  return parts.map((part, index) => {
    const cleared = Math.min(size, Math.max(0, (index + 1) * size - prefix))
    return (part >> cleared) << cleared
  })
}

/** Whether a canonical CIDR covers a canonical address; false across families. */
export function cidrContains(cidr: string, address: string): boolean {
  return parseCIDR(address + cidr.slice(cidr.indexOf('/')))?.text === cidr
}

/** Whether a canonical address is 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}
