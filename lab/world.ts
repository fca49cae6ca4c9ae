import { Namespace } from './namespace.ts'

/** A machine or pod besides the node, in a namespace of its own, joined to the node by a pair of veth interfaces. */
export interface HostSpec {
  readonly name: string
  /** The node's end of the link; the host's end is `eth0`. */
  readonly device: string
  /** Its addresses, of both families, without prefix length. */
  readonly addresses: readonly string[]
  /** CIDRs, besides its addresses, that the node sends its way. It does not answer for them. */
  readonly routes?: readonly string[]
}

export interface WorldSpec {
  /** The node's own addresses, without prefix length. */
  readonly nodeAddresses: readonly string[]
  readonly hosts: readonly HostSpec[]
}

/** Next hops on every link: the node's end and the host's. Of scope link, so that masquerading picks the node's real address. */
const GATEWAYS = { ipv4: { node: '169.254.1.1', host: '169.254.1.2' }, ipv6: { node: 'fe80::1', host: 'fe80::2' } } as const

const NODE_PARAMETERS: readonly (readonly [string, string])[] = [
  ['net.ipv4.ip_forward', '1'],
  ['net.ipv6.conf.all.forwarding', '1'],
  ['net.ipv4.conf.all.send_redirects', '0'],
  ['net.ipv4.conf.default.send_redirects', '0'],
  // Every rejected packet has to be answered, however many there are.
  ['net.ipv4.icmp_ratelimit', '0'],
  ['net.ipv6.icmp.ratelimit', '0'],
  ['net.ipv4.icmp_msgs_per_sec', '1000000'],
  ['net.ipv4.icmp_msgs_burst', '1000000'],
]

/** Reverse path filters would drop packets whose source is reached another way. Without router advertisements hosts have only the routes given. */
const COMMON_PARAMETERS: readonly (readonly [string, string])[] = [
  ['net.ipv4.conf.all.rp_filter', '0'],
  ['net.ipv4.conf.default.rp_filter', '0'],
  ['net.ipv6.conf.default.accept_ra', '0'],
  ['net.ipv6.conf.default.accept_dad', '0'],
]

/** A node that routes between hosts, all in namespaces without names: nothing is left when they are ended, or when this process is. */
export class World {
  readonly node: Namespace
  readonly #hosts: ReadonlyMap<string, Namespace>

  private constructor(node: Namespace, hosts: ReadonlyMap<string, Namespace>) {
    this.node = node
    this.#hosts = hosts
  }

  /** @throws when the machine does not allow it; then nothing is left of it either */
  static async create({ nodeAddresses, hosts }: WorldSpec): Promise<World> {
    const node = await Namespace.start('node')
    const started = await Promise.allSettled(hosts.map(async ({ name }) => [name, await Namespace.start(name, node)] as const))
    const world = new World(node, new Map(started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))))
    try {
      for (const result of started) if (result.status === 'rejected') throw result.reason
      await world.#connect(hosts, nodeAddresses)
    } catch (error) {
      await world.close()
      throw error
    }
    return world
  }

  /** @throws when the world has no host of that name */
  host(name: string): Namespace {
    const found = this.#hosts.get(name)
    if (found === undefined) throw new Error(`the world has no host ${name}`)
    return found
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values(), this.node].map(namespace => namespace.end()))
  }

  async #connect(hosts: readonly HostSpec[], nodeAddresses: readonly string[]): Promise<void> {
    await Promise.all([this.node, ...this.#hosts.values()].map(namespace => namespace.call('sysctl', COMMON_PARAMETERS)))
    await this.node.call('sysctl', NODE_PARAMETERS)
    await this.node.must(
      ['ip', '-batch', '-'],
      lines([
        'link set lo up',
        ...hosts.map(({ device, name }) => `link add ${device} type veth peer name eth0 netns ${this.host(name).pid}`),
        ...hosts.flatMap(({ device }) => [`link set ${device} up`, ...gatewayAddresses(device, 'node')]),
        ...nodeAddresses.map(address => addAddress(address, 'lo')),
      ]),
    )
    await Promise.all(
      hosts.map(({ name, addresses }) =>
        this.host(name).must(
          ['ip', '-batch', '-'],
          lines(['link set lo up', 'link set eth0 up', ...gatewayAddresses('eth0', 'host'), ...hostRoutes(addresses)]),
        ),
      ),
    )
    await this.node.must(['ip', '-batch', '-'], lines(hosts.flatMap(nodeRoutes)))
  }
}

function lines(commands: readonly string[]): string {
  return commands.map(command => `${command}\n`).join('')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

function addAddress(address: string, device: string, scope = ''): string {
  return familyOf(address) === 'ipv4' ? `address add ${address}/32 dev ${device}${scope}` : `address add ${address}/128 dev ${device} nodad`
}

function gatewayAddresses(device: string, end: 'node' | 'host'): string[] {
  return [addAddress(GATEWAYS.ipv4[end], device, ' scope link'), `address add ${GATEWAYS.ipv6[end]}/64 dev ${device} nodad`]
}

function hostRoutes(addresses: readonly string[]): string[] {
  const { ipv4, ipv6 } = GATEWAYS
  return [
    ...addresses.map(address => addAddress(address, 'eth0')),
    `route add 0.0.0.0/0 via ${ipv4.node} dev eth0 onlink`,
    `route add ::/0 via ${ipv6.node} dev eth0`,
  ]
}

function nodeRoutes({ device, addresses, routes = [] }: HostSpec): string[] {
  return [...addresses, ...routes].map(target => `route add ${target} via ${GATEWAYS[familyOf(target)].host} dev ${device} onlink`)
}
