/** A UDP flow as connection tracking has it. */
export interface Flow {
  /** Where the client sent it. */
  readonly destination: string
  readonly port: number
  /** Who answers: the endpoint if the destination was translated, or else the destination itself. */
  readonly answeredBy: string
  readonly answeredPort: number
}

const ENTRY = / dst=(\S+) sport=\d+ dport=(\d+) .*?src=(\S+) dst=\S+ sport=(\d+) /

/**
 * Reads what `conntrack -L -p udp` prints. Flows in a zone belong to someone else, such as a virtual switch: service rules use none.
 * Addresses are as inet_ntop(3) prints them, which for service and pod addresses is their canonical form.
 */
export function* parseFlows(listing: string): Generator<Flow> {
  for (let start = 0; start < listing.length; ) {
    const newline = listing.indexOf('\n', start)
    const end = newline < 0 ? listing.length : newline
    const line = listing.slice(start, end)
    start = end + 1
    const match = ENTRY.exec(line)
    if (match === null || line.includes('zone')) continue
    const [, destination = '', port, answeredBy = '', answeredPort] = match
    yield { destination, port: Number(port), answeredBy, answeredPort: Number(answeredPort) }
  }
}
