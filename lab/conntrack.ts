import { parseAddress } from '../src/address.ts'
import type { Flow } from './protocol.ts'

/** Where a connection went, as connection tracking has it. */
export interface Tracked {
  /** Who answers: the endpoint if the destination was translated, or else the destination itself. */
  readonly answeredBy: string
  readonly answeredPort: number
  /** Whom the other end sees as the client. */
  readonly seenAs: string
}

const ENTRY = /^ipv[46] +\d+ +(tcp|udp) .*?src=(\S+) dst=(\S+) sport=(\d+) dport=(\d+) .*?src=(\S+) dst=(\S+) sport=(\d+) /

/** Reads the table as /proc/net/nf_conntrack or `conntrack -L -o extended` prints it; keys are those of `flowKey`. Other protocols are passed over. */
export function parseConntrack(text: string): Map<string, Tracked> {
  const found = new Map<string, Tracked>()
  for (const line of text.split('\n')) {
    const match = ENTRY.exec(line)
    if (match === null) continue
    const [, protocol = '', from = '', to = '', fromPort = '', port = '', answeredBy = '', seenAs = '', answeredPort = ''] = match
    found.set(`${protocol} ${canonical(from)} ${fromPort} ${canonical(to)} ${port}`, {
      answeredBy: canonical(answeredBy),
      answeredPort: Number(answeredPort),
      seenAs: canonical(seenAs),
    })
  }
  return found
}

/** Identity of a connection by its first packet. */
export function flowKey({ protocol, from, fromPort, to, port }: Flow): string {
  return `${protocol} ${from} ${fromPort} ${to} ${port}`
}

/** The kernel prints IPv6 addresses in full length. */
function canonical(address: string): string {
  return parseAddress(address)?.text ?? address
}
