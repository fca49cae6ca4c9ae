import ipaddr from 'ipaddr.js'

/** An IP family in kubenft's own spelling; Kubernetes writes IPv4 and IPv6. */
export type Family = 'ipv4' | 'ipv6'

/** A canonical address or CIDR with its family. `text` is safe to print in every rule format. */
export interface ParsedAddress {
  readonly family: Family
  readonly text: string
}

const DECIMAL_IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/
/** Longest text worth parsing: a full IPv4-mapped IPv6 address has 45 characters, a prefix adds four. */
const MAX_LENGTH = 64

/** One IPv4 address; Kubernetes' sloppy parser reads leading zeros as decimal (nft would read them as octal). */
function parseIPv4(text: string): string | undefined {
  const match = DECIMAL_IPV4.exec(text)
  if (match === null) return undefined
  const bytes = [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4])]
  return bytes.every(byte => byte <= 255) ? bytes.join('.') : undefined
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
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  const v6 = ipaddr.IPv6.parse(text)
  return v6.isIPv4MappedAddress() ? { family: 'ipv4', text: v6.toIPv4Address().toString() } : { family: 'ipv6', text: v6.toRFC5952String() }
}

/** Parses a CIDR, masking host bits: `10.1.2.3/8` is `10.0.0.0/8`. A prefix length is decimal digits without sign. */
export function parseCIDR(text: string): ParsedAddress | undefined {
  const slash = text.indexOf('/')
  if (slash < 0 || text.length > MAX_LENGTH) return undefined
  const prefixText = text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(prefixText)) return undefined
  const address = text.slice(0, slash)
  const parsed = parseAddress(address)
  if (parsed === undefined) return undefined
  const prefix = Number(prefixText) - (address.includes(':') && parsed.family === 'ipv4' ? 96 : 0)
  if (prefix < 0 || prefix > (parsed.family === 'ipv4' ? 32 : 128)) return undefined
  return { family: parsed.family, text: `${network(parsed, prefix)}/${prefix}` }
}

function network({ family, text }: ParsedAddress, prefix: number): string {
  const bytes = ipaddr.parse(text).toByteArray()
  for (let i = 0; i < bytes.length; i++) {
    const kept = Math.min(8, Math.max(0, prefix - i * 8))
    bytes[i] = (bytes[i] as number) & (0xff << (8 - kept)) & 0xff
  }
  return family === 'ipv4' ? bytes.join('.') : (ipaddr.fromByteArray(bytes) as ipaddr.IPv6).toRFC5952String()
}

/** Whether a canonical CIDR covers a canonical address; false across families. */
export function cidrContains(cidr: string, address: string): boolean {
  const ip = ipaddr.parse(address)
  const [range, prefix] = ipaddr.parseCIDR(cidr)
  return ip.kind() === range.kind() && ip.match(range, prefix)
}

/** Whether a canonical address is 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}
