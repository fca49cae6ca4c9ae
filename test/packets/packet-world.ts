import { flowKey, parseConntrack } from '../../lab/conntrack.ts'
import type { Namespace } from '../../lab/namespace.ts'
import type { Flow, FlowResult } from '../../lab/protocol.ts'
import { World } from '../../lab/world.ts'
import type { Place, Plan, Source } from './plan.ts'

const DEVICES = { pod: 'veth0', bridge: 'cni0', prefixed: 'cali0', outside: 'eth0' } as const
const ROUTES: Readonly<Partial<Record<Place, readonly string[]>>> = {
  pod: ['10.0.0.0/8', 'fd00:10::/64'],
  outside: ['0.0.0.0/0', '::/0'],
}

/** Entries are read at once; the table must not grow over hundreds of rulesets. */
const SHORT_TIMEOUTS = ['udp_timeout', 'tcp_timeout_syn_sent', 'tcp_timeout_close'].map(
  name => [`net.netfilter.nf_conntrack_${name}`, '5'] as const,
)

/** Nothing answers in pods or outside. ICMP errors still arrive. */
const NO_ANSWERS = 'table inet silent { chain input { type filter hook input priority 0; meta l4proto { tcp, udp } drop; }; }\n'

/** A reset makes connection tracking forget the connection, so those of the node's own closed ports end before it sees them. */
const NO_RESETS = 'table inet silent { chain output { type filter hook output priority -300; tcp flags & rst != 0 drop; }; }\n'

/** How long an ICMP error may take to come back, in milliseconds. It comes at once: the kernel sends it before the sender goes on. */
const SETTLING = 20
/** Flows that are open at the same time in one place. */
const BATCH = 800

/** What became of the packets of each kind: `pod 10.0.0.9 > tcp 172.30.0.41:80` to the sorted, different outcomes. */
export type Outcomes = ReadonlyMap<string, readonly string[]>

/**
 * A node with pods and an outside, in which only first packets are sent. What the node did to each is in its connection tracking table, or came back
 * as an ICMP error, or is nowhere: dropped. No endpoint exists.
 */
export class PacketWorld {
  readonly #world: World
  /** The next source port of each address: a connection is never seen twice, so the table need not be flushed. */
  readonly #nextPort = new Map<string, number>()

  private constructor(world: World) {
    this.#world = world
  }

  static async create(nodeAddresses: readonly string[], sources: readonly Source[]): Promise<PacketWorld> {
    const hosts = Object.entries(DEVICES).map(([name, device]) => ({
      name,
      device,
      addresses: [...new Set(sources.filter(({ place }) => place === name).map(({ address }) => address))],
      routes: ROUTES[name as Place] ?? [],
    }))
    const world = await World.create({ nodeAddresses, hosts })
    await world.node.call('sysctl', SHORT_TIMEOUTS)
    for (const { name } of hosts) await world.host(name).must(['nft', '-f', '-'], NO_ANSWERS)
    return new PacketWorld(world)
  }

  close(): Promise<void> {
    return this.#world.close()
  }

  /** Replaces the node's rules. */
  async load(...scripts: readonly string[]): Promise<void> {
    await this.#world.node.must(['nft', '-f', '-'], ['flush ruleset\n', NO_RESETS, ...scripts].join(''))
  }

  /** Sends what the plans say, one packet after the other, so that a ruleset with counting in place of random numbers deals every endpoint out. */
  async outcomes(plans: readonly Plan[]): Promise<Outcomes> {
    const found = new Map<string, Set<string>>()
    for (const [place, flows] of this.#flows(plans)) {
      const sender = place === 'node' ? this.#world.node : this.#world.host(place)
      for (let start = 0; start < flows.length; start += BATCH) await this.#send(sender, place, flows.slice(start, start + BATCH), found)
    }
    return new Map([...found].map(([kind, outcomes]) => [kind, [...outcomes].sort()]))
  }

  #flows(plans: readonly Plan[]): Map<Place, Flow[]> {
    const flows = new Map<Place, Flow[]>()
    for (const { sources, targets } of plans) {
      for (const { place, address: from } of sources) {
        const own = flows.get(place) ?? []
        flows.set(place, own)
        for (const { protocol, address: to, port, endpoints } of targets)
          for (let packet = 0; packet < endpoints; packet++) own.push({ protocol, from, fromPort: this.#takePort(from), to, port })
      }
    }
    return flows
  }

  #takePort(address: string): number {
    const port = this.#nextPort.get(address) ?? 1024
    if (port > 65_535) throw new Error(`${address} has no ports left`)
    this.#nextPort.set(address, port + 1)
    return port
  }

  async #send(sender: Namespace, place: Place, flows: readonly Flow[], found: Map<string, Set<string>>): Promise<void> {
    await sender.call('send', flows)
    const results = await sender.call('settle', SETTLING)
    const tracked = parseConntrack(await this.#world.node.call('conntrack', null))
    for (const [index, flow] of flows.entries()) {
      const { protocol, from, to, port } = flow
      const kind = `${place} ${from} > ${protocol} ${to}:${port}`
      const outcomes = found.get(kind) ?? new Set()
      found.set(kind, outcomes.add(outcome(flow, results[index], tracked)))
    }
  }
}

/** `10.1.0.1:8080 masqueraded`, `passed`, `rejected` or `dropped`. */
function outcome(flow: Flow, result: FlowResult | undefined, tracked: ReturnType<typeof parseConntrack>): string {
  const entry = tracked.get(flowKey(flow))
  if (entry === undefined) return result === 'refused' ? 'rejected' : 'dropped'
  const unchanged = entry.answeredBy === flow.to && entry.answeredPort === flow.port
  return `${unchanged ? 'passed' : `${entry.answeredBy}:${entry.answeredPort}`}${entry.seenAs === flow.from ? '' : ' masqueraded'}`
}
