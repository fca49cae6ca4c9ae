import type { EndpointSlice, HostFacts, KubeProxyConfiguration, Service, Snapshot } from '../../src/snapshot/types.ts'
import type { GoldenCase } from '../support/golden.ts'

/**
 * A golden case in which every IPv4 service is also an IPv6 one and every TCP port also a UDP one, endpoints and all: what the case shows is then
 * to be seen in both families and both protocols.
 */
export function widened({ configuration, host, snapshots }: GoldenCase): Pick<GoldenCase, 'configuration' | 'host' | 'snapshots'> {
  return { configuration: widenConfiguration(configuration), host: widenHost(host), snapshots: snapshots.map(widenSnapshot) }
}

/** An IPv4 address or CIDR of the cases in IPv6: pods, services and nodes have their ranges there, everything else is embedded. */
export function toIPv6(text: string): string {
  const [, a = '', b = '', c = '', d = '', prefix] = /(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?/.exec(text) ?? []
  const length = prefix === undefined ? undefined : Number(prefix)
  const ending = (bits: number): string => (length === undefined ? '' : `/${length === 32 ? 128 : bits}`)
  if (length === 0) return '::/0'
  if (a === '10') return length === 8 ? 'fd00:10::/64' : `fd00:10::${b}:${c}:${d}${ending(64 + (length ?? 0) * 2)}`
  if (a === '172') return `fd00:10:96::${hex(c, d)}${ending(80 + (length ?? 0))}`
  if (a === '192' && b === '168') return `2001:db8:${c}::${d}${ending(length === 24 ? 48 : 32)}`
  return `2001:db8:${hex(a, b)}:${hex(c, d)}::${length === undefined || length === 32 ? `1${ending(128)}` : ending(32 + length)}`
}

function hex(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16)
}

function withIPv6(texts: readonly string[]): string[] {
  return [...texts, ...texts.filter(text => !text.includes(':')).map(toIPv6)]
}

function widenConfiguration(configuration: KubeProxyConfiguration): KubeProxyConfiguration {
  const { clusterCIDR, nodePortAddresses } = configuration
  return {
    ...configuration,
    ...(clusterCIDR && !clusterCIDR.includes(':') && { clusterCIDR: withIPv6([clusterCIDR]).join() }),
    ...(nodePortAddresses?.some(range => /\d\./.test(range)) && { nodePortAddresses: withIPv6(nodePortAddresses) }),
  }
}

function widenHost(host: HostFacts): HostFacts {
  return { ...host, families: ['IPv4', 'IPv6'] }
}

function widenSnapshot({ services, endpointSlices, ...rest }: Snapshot): Snapshot {
  const dual = services.some(({ spec }) => spec.ipFamilies?.includes('IPv6'))
  const both = services.some(({ spec }) => spec.ports?.some(({ protocol }) => protocol === 'UDP'))
  const ported = {
    services: both ? services : services.map(addUdpToService),
    endpointSlices: both ? endpointSlices : endpointSlices.map(addUdpToSlice),
  }
  if (dual) return { ...rest, ...ported }
  return {
    ...rest,
    services: ported.services.map(addIPv6ToService),
    endpointSlices: ported.endpointSlices.flatMap(slice => [slice, ...ipv6Slices(slice)]),
  }
}

/** The ports, and those that are TCP once more for UDP under names of their own. */
function withUdp<P extends { readonly name?: string | null; readonly protocol?: string | null }>(ports: readonly P[]): P[] {
  const tcp = ports.filter(({ protocol }) => (protocol ?? 'TCP') === 'TCP')
  return [...ports, ...tcp.map(port => ({ ...port, name: port.name ? `udp-${port.name}` : 'udp', protocol: 'UDP' }))]
}

function addUdpToService(service: Service): Service {
  const { ports } = service.spec
  return ports === undefined ? service : { ...service, spec: { ...service.spec, ports: withUdp(ports) } }
}

function addUdpToSlice(slice: EndpointSlice): EndpointSlice {
  return slice.ports ? { ...slice, ports: withUdp(slice.ports) } : slice
}

function addIPv6ToService(service: Service): Service {
  const { spec, status } = service
  const { clusterIP, externalIPs, loadBalancerSourceRanges } = spec
  const ingress = status?.loadBalancer?.ingress
  return {
    ...service,
    spec: {
      ...spec,
      ...(clusterIP?.includes('.') && { clusterIPs: withIPv6([clusterIP]), ipFamilies: ['IPv4', 'IPv6'] }),
      ...(externalIPs && { externalIPs: withIPv6(externalIPs) }),
      ...(loadBalancerSourceRanges && { loadBalancerSourceRanges: withIPv6(loadBalancerSourceRanges) }),
    },
    ...(ingress && {
      status: {
        loadBalancer: { ingress: ingress.flatMap(one => (one.ip?.includes('.') ? [one, { ...one, ip: toIPv6(one.ip) }] : [one])) },
      },
    }),
  }
}

function ipv6Slices(slice: EndpointSlice): EndpointSlice[] {
  if (slice.addressType !== 'IPv4') return []
  const { metadata, endpoints } = slice
  return [
    {
      ...slice,
      addressType: 'IPv6',
      metadata: { ...metadata, name: `${metadata.name}-ipv6` },
      ...(endpoints && { endpoints: endpoints.map(endpoint => ({ ...endpoint, addresses: endpoint.addresses.map(toIPv6) })) }),
    },
  ]
}
