import { createHash } from 'node:crypto'
import type { Endpoint, ServicePort } from '../../model/types.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** kube-proxy keeps 16 of nft's characters for its prefixes (chainNameBaseLengthMax). */
const MAX_LENGTH = 240

/** The first eight base32 characters of the SHA-256 of a name: 40 bits. */
function hash(name: string): string {
  const digest = createHash('sha256').update(name).digest()
  let out = ''
  for (let bit = 0; bit < 40; bit += 5) {
    const window = ((digest[bit >> 3] as number) << 8) | (digest[(bit >> 3) + 1] as number)
    out += ALPHABET[(window >> (11 - (bit & 7))) & 31]
  }
  return out
}

function hashAndTruncate(name: string): string {
  const full = `${hash(name)}-${name}`
  return full.length > MAX_LENGTH ? `${full.slice(0, MAX_LENGTH - 3)}...` : full
}

function path({ namespace, name, protocol, portName }: ServicePort): string {
  return `${namespace}/${name}/${protocol}/${portName}`
}

/** `HASH-namespace/service/protocol/port`: what kube-proxy puts behind `service-`, `local-`, `external-` and `firewall-`. */
export function servicePortBase(port: ServicePort): string {
  return hashAndTruncate(path(port))
}

/** `HASH-namespace/service/protocol/port__ip/port`, colons of an IPv6 address as dots: what stands behind `endpoint-` and `affinity-`. */
export function endpointBase(port: ServicePort, { ip, port: number }: Endpoint): string {
  return hashAndTruncate(`${path(port)}__${ip.replaceAll(':', '.')}/${number}`)
}
