/** nft prints protocols as numbers on hosts without /etc/protocols, as in many container images. */
const NAMES: Readonly<Record<string, string>> = { 6: 'tcp', 17: 'udp', 132: 'sctp' }

/** The name of a transport protocol that nft printed by name or number. */
export function protocolName(protocol: string | number): string {
  return NAMES[protocol] ?? String(protocol)
}
