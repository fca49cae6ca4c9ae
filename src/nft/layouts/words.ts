import type { Family, LocalDetector, NodeContext } from '../../model/types.ts'
import { quoteInterface } from '../quote.ts'

/** The words of rule text that differ between the families. */
export interface Words {
  readonly ip: 'ip' | 'ip6'
  readonly addressType: 'ipv4_addr' | 'ipv6_addr'
  /** What a node port match must leave out: kube-proxy supports no node ports on loopback in nftables mode. */
  readonly loopback: string
}

const WORDS: Readonly<Record<Family, Words>> = {
  ipv4: { ip: 'ip', addressType: 'ipv4_addr', loopback: '127.0.0.0/8' },
  ipv6: { ip: 'ip6', addressType: 'ipv6_addr', loopback: '::1' },
}

export function wordsOf(family: Family): Words {
  return WORDS[family]
}

/** The match for traffic of local pods (or, negated, for all other traffic); undefined when it cannot be told. */
export function localMatch(
  detector: LocalDetector,
  { ip }: Words,
  { negated = false, interfaceKeyword = 'iifname' } = {},
): string | undefined {
  const not = negated ? '!= ' : ''
  switch (detector.kind) {
    case 'none':
      return undefined
    case 'cidr':
      return `${ip} saddr ${not}${detector.cidr}`
    case 'bridge':
      return `${interfaceKeyword} ${not}${quoteInterface(detector.interfaceName)}`
    case 'prefix':
      return `${interfaceKeyword} ${not}${quoteInterface(`${detector.prefix}*`)}`
  }
}

/** Sets the mark that makes `masquerading` rewrite the source address. */
export function setMark({ nftables }: NodeContext): string {
  return `mark set mark or ${nftables.masqueradeMark}`
}
