import { flowKey, parseConntrack, type Tracked } from '../../lab/conntrack.ts'
import type { Flow } from '../../lab/protocol.ts'
import { World } from '../../lab/world.ts'
import { inner } from '../../src/nft/fragment.ts'
import { LIST_OBSERVER, OBSERVER, parseObserver } from './observer.ts'
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

/** Nothing answers in pods or outside. */
const NO_ANSWERS = 'table inet silent { chain input { type filter hook input priority 0; meta l4proto { tcp, udp } drop; }; }\n'

/** How long packets may take to the node and through it, in milliseconds. The kernel takes them there before the sender goes on. */
const LINGER = 20
/** Flows that are open at the same time in one place. */
const BATCH = 800

/** What became of the packets of each kind: `pod 10.0.0.9 > tcp 172.30.0.41:80` to the outcomes with their numbers. */
export type Outcomes = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * A node with pods and an outside, in which only first packets are sent; no endpoint exists. What the node did to each is seen on the node: it is in
 * the connection tracking table, or was answered with an ICMP error, or is nowhere: dropped.
 */
export class PacketWorld {
  readonly #world: World
  /** The next source port of each address: no connection is ever seen twice, so nothing needs to be flushed. */
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
    await Promise.all(hosts.map(({ name }) => world.host(name).must(['nft', '-f', '-'], NO_ANSWERS)))
    return new PacketWorld(world)
  }

  close(): Promise<void> {
    return this.#world.close()
  }

  /** Replaces the node's rules. */
  async load(...scripts: readonly string[]): Promise<void> {
    await this.#world.node.must(['nft', '-f', '-'], ['flush ruleset\n', OBSERVER, ...scripts].join(''))
  }

  /** Sends what the plans say, one packet after the other, so that a ruleset with counting in place of random numbers deals every endpoint out. */
  async outcomes(plans: readonly Plan[]): Promise<Outcomes> {
    const flows = this.#flows(plans)
    const tracked = new Map<string, Tracked>()
    for (const [place, all] of flows) {
      for (let start = 0; start < all.length; start += BATCH) {
        await this.#sender(place).call('send', { flows: all.slice(start, start + BATCH), linger: LINGER })
        for (const [key, entry] of parseConntrack(await this.#world.node.call('conntrack', null))) tracked.set(key, entry)
      }
    }
    const rejected = parseObserver(await this.#world.node.must(LIST_OBSERVER))
    const found = new Map<string, Map<string, number>>()
    for (const [place, all] of flows) {
      for (const flow of all) {
        const result = outcome(flow, tracked.get(flowKey(flow)), rejected)
        const counts = inner(found, `${place} ${flow.from} > ${flow.protocol} ${flow.to}:${flow.port}`)
        counts.set(result, (counts.get(result) ?? 0) + 1)
      }
    }
    return found
  }

  #sender(place: Place) {
    return place === 'node' ? this.#world.node : this.#world.host(place)
  }

  #flows(plans: readonly Plan[]): Map<Place, Flow[]> {
    const flows = new Map<Place, Flow[]>()
    for (const { sources, targets } of plans) {
      for (const { place, address: from } of sources) {
        const own = flows.get(place) ?? []
        flows.set(place, own)
        for (const { protocol, address: to, port, packets } of targets)
          for (let packet = 0; packet < packets; packet++) own.push({ protocol, from, fromPort: this.#takePort(from), to, port })
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
}

/** `10.1.0.1:8080 masqueraded`, `passed`, `rejected` or `dropped`. */
function outcome({ from, fromPort, to, port }: Flow, entry: Tracked | undefined, rejected: ReadonlySet<string>): string {
  if (entry === undefined) return rejected.has(`${from} ${fromPort}`) ? 'rejected' : 'dropped'
  const unchanged = entry.answeredBy === to && entry.answeredPort === port
  return `${unchanged ? 'passed' : `${entry.answeredBy}:${entry.answeredPort}`}${entry.seenAs === from ? '' : ' masqueraded'}`
}
