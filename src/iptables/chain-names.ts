import { createHash } from 'node:crypto'
import { servicePortName } from '../model/claims.ts'
import { endpointName } from '../model/endpoint-slice.ts'
import type { Endpoint, ServicePort } from '../model/types.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The first 16 base32 characters of the SHA-256 of a name: 80 bits, since the kernel allows 28 characters for a chain's name. */
function hash(name: string): string {
  const digest = createHash('sha256').update(name).digest('binary')
  let out = ''
  for (let bit = 0; bit < 80; bit += 5) {
    const window = (digest.charCodeAt(bit >> 3) << 8) | digest.charCodeAt((bit >> 3) + 1)
    out += ALPHABET[(window >> (11 - (bit & 7))) & 31]
  }
  return out
}

/** What stands behind `KUBE-SVC-`, `KUBE-SVL-`, `KUBE-EXT-` and `KUBE-FW-` in the names of a service port's chains. */
export function servicePortHash(port: ServicePort): string {
  return hash(servicePortName(port) + port.protocol)
}

export function endpointChainName(port: ServicePort, endpoint: Endpoint): string {
  return `KUBE-SEP-${hash(servicePortName(port) + port.protocol + endpointName(endpoint))}`
}
