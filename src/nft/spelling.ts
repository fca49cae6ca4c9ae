import { parseAddress } from '../address.ts'

/** nft prints protocols as numbers on hosts without /etc/protocols, as in many container images. */
const PROTOCOLS: Readonly<Record<string, string>> = { 6: 'tcp', 17: 'udp', 132: 'sctp' }

/** The name of a transport protocol that nft printed by name or number. */
export function protocolName(protocol: string | number): string {
  return PROTOCOLS[protocol] ?? String(protocol)
}

/** A packet mark, as nft prints it. */
export function markNumber(mark: number): string {
  return `0x${mark.toString(16).padStart(8, '0')}`
}

/** nft prints IPv6 addresses as glibc does, the last groups of some as IPv4 (`::10.0.0.1`); the layouts do not. Other texts stay as they are. */
export function addressSpelling(text: string): string {
  if (!text.includes(':') || !text.includes('.')) return text
  const address = parseAddress(text)
  return address?.family === 'ipv6' ? address.text : text
}
