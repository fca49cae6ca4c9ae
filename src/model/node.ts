import { cidrContains, type Family, type ParsedAddress, parseAddress, parseCIDR } from '../address.ts'
import { DiagnosticsError, type Report } from '../diagnostics.ts'
import type { HostFacts, KubeProxyConfiguration, Node, Snapshot } from '../snapshot/types.ts'
import { isInterfaceName } from './names.ts'
import type { LocalDetector, NodeContext, NodePortAddresses } from './types.ts'

/** Default of masqueradeBit in every mode. */
const DEFAULT_MASQUERADE_BIT = 14
const FAMILIES: readonly Family[] = ['ipv4', 'ipv6']

export interface NodeInput {
  readonly snapshot: Snapshot
  readonly configuration: KubeProxyConfiguration | undefined
  readonly host: HostFacts | undefined
  /** `--node`: before hostnameOverride, the host's facts and the snapshot. */
  readonly nodeName: string | undefined
  readonly report: Report
}

type Addresses = Readonly<Record<Family, readonly string[]>>

/**
 * The node in each of its families. Defaults are kube-proxy 1.36's. What is missing is said with what follows from it.
 * @throws DiagnosticsError when it is unclear which node is meant, or a value cannot be used.
 */
export function nodeContexts({
  snapshot,
  configuration = { kind: 'KubeProxyConfiguration' },
  host,
  nodeName,
  report,
}: NodeInput): NodeContext[] {
  const name = nodeName ?? (configuration.hostnameOverride || undefined) ?? host?.nodeName ?? soleNode(snapshot)
  const node = snapshot.nodes.find(candidate => candidate.metadata.name === name)
  if (node === undefined) {
    report({
      severity: 'warning',
      place: { object: `Node ${name}` },
      summary: 'the snapshot does not hold this Node',
      detail:
        'Its zone, addresses and pod CIDRs are unknown: topology hints by zone do not apply and the default node port address is the loopback one. Add it: kubectl get nodes -o yaml.',
    })
  }
  const statusAddresses = byFamily(addressesOf(node))
  const hostAddresses =
    host === undefined
      ? FAMILIES.flatMap(family => statusAddresses[family].map(address => ({ interfaceName: '', address })))
      : interfaceAddresses(host)
  const families =
    host === undefined
      ? FAMILIES.filter(family => statusAddresses[family].length > 0)
      : FAMILIES.filter(family => host.families.includes(family === 'ipv4' ? 'IPv4' : 'IPv6'))
  return (families.length > 0 ? families : FAMILIES).map(family => {
    const nodeIP = statusAddresses[family][0]
    if (nodeIP === undefined && node !== undefined) {
      report({
        severity: 'warning',
        place: { object: `Node ${name}`, path: 'status.addresses' },
        summary: `the node has no ${family === 'ipv4' ? 'IPv4' : 'IPv6'} address`,
        detail: 'kube-proxy then takes the loopback address for it, so node ports answer on no address of this family.',
      })
    }
    const context = { family, nodeIP: nodeIP ?? (family === 'ipv4' ? '127.0.0.1' : '::1') }
    const local = hostAddresses.filter(({ address }) => address.includes(':') === (family === 'ipv6'))
    const nodePorts = (fallback: readonly string[]): NodePortAddresses =>
      nodePortAddresses(configuration.nodePortAddresses ?? fallback, context, local, report)
    return {
      ...context,
      nodeName: name,
      zone: node?.metadata.labels?.['topology.kubernetes.io/zone'] ?? '',
      hostAddresses: local,
      localDetector: localDetector(configuration, node, family, report),
      serviceCIDRs: byFamily(snapshot.serviceCIDRs.flatMap(({ spec }) => spec.cidrs.map(cidr => parseCIDR(cidr))))[family].toSorted(),
      nftables: {
        masqueradeAll: configuration.nftables?.masqueradeAll ?? false,
        masqueradeMark: masqueradeMark(configuration.nftables?.masqueradeBit),
        nodePortAddresses: nodePorts(['primary']),
      },
      iptables: {
        masqueradeAll: configuration.iptables?.masqueradeAll ?? false,
        masqueradeMark: masqueradeMark(configuration.iptables?.masqueradeBit),
        nodePortAddresses: nodePorts([]),
        localhostNodePorts: configuration.iptables?.localhostNodePorts ?? true,
        nfacct: new Set(host?.nfacct ?? []),
      },
      ipvs: {
        scheduler: configuration.ipvs?.scheduler || 'rr',
        excludeCIDRs: byFamily((configuration.ipvs?.excludeCIDRs ?? []).map(cidr => parseCIDR(cidr)))[family],
        strictARP: configuration.ipvs?.strictARP ?? false,
      },
    }
  })
}

function soleNode({ nodes }: Snapshot): string {
  const [first, second] = nodes
  if (first !== undefined && second === undefined) return first.metadata.name
  const summary =
    first === undefined ? 'the snapshot holds no Node and no node is named' : 'the snapshot holds several Nodes and none is named'
  const names = nodes.slice(0, 10).map(node => node.metadata.name)
  throw new DiagnosticsError([
    {
      severity: 'error',
      summary,
      detail: `Say which node the rules are for: --node NAME, or --host FILE.${names.length > 0 ? ` Nodes here: ${names.join(', ')}${nodes.length > 10 ? ', …' : ''}.` : ''}`,
    },
  ])
}

/** InternalIP before ExternalIP, otherwise in the Node's order: the first of a family is the primary one (kube-proxy's GetNodeHostIPs). */
function addressesOf(node: Node | undefined): (ParsedAddress | undefined)[] {
  const all = node?.status?.addresses ?? []
  return ['InternalIP', 'ExternalIP'].flatMap(type =>
    all.filter(address => address.type === type).map(({ address }) => parseAddress(address)),
  )
}

function byFamily(addresses: readonly (ParsedAddress | undefined)[]): Addresses {
  const of = (family: Family): string[] => [...new Set(addresses.flatMap(address => (address?.family === family ? [address.text] : [])))]
  return { ipv4: of('ipv4'), ipv6: of('ipv6') }
}

function interfaceAddresses({ interfaces }: HostFacts): { interfaceName: string; address: string }[] {
  return interfaces.flatMap(({ name, addresses }) =>
    addresses.flatMap(text => {
      const address = parseAddress(text.split('/')[0] ?? '')
      return address === undefined ? [] : [{ interfaceName: name, address: address.text }]
    }),
  )
}

function masqueradeMark(bit: number | null | undefined): string {
  return `0x${(2 ** (bit ?? DEFAULT_MASQUERADE_BIT)).toString(16).padStart(8, '0')}`
}

/** kube-proxy's NodePortAddresses: no CIDR of the family, or a zero one, means every local address; `primary` the node's primary one. */
function nodePortAddresses(
  configured: readonly string[],
  { family, nodeIP }: { readonly family: Family; readonly nodeIP: string },
  local: NodeContext['hostAddresses'],
  report: Report,
): NodePortAddresses {
  if (configured.length === 1 && configured[0] === 'primary') return { all: false, addresses: [nodeIP] }
  const cidrs = byFamily(configured.map(cidr => parseCIDR(cidr)))[family]
  if (cidrs.length === 0 || cidrs.some(cidr => cidr.endsWith('/0'))) return { all: true }
  const addresses = [...new Set(local.map(({ address }) => address).filter(address => cidrs.some(cidr => cidrContains(cidr, address))))]
  if (addresses.length === 0) {
    report({
      severity: 'warning',
      place: { object: 'KubeProxyConfiguration', path: 'nodePortAddresses' },
      summary: `no address of this node is in ${cidrs.join(', ')}`,
      detail: 'Node ports of this family answer on no address.',
    })
  }
  return { all: false, addresses }
}

function localDetector(
  { detectLocalMode, detectLocal, clusterCIDR }: KubeProxyConfiguration,
  node: Node | undefined,
  family: Family,
  report: Report,
): LocalDetector {
  const none = (summary: string): LocalDetector => {
    report({
      severity: 'warning',
      place: { object: 'KubeProxyConfiguration', path: 'detectLocalMode' },
      summary: `${summary} (${family === 'ipv4' ? 'IPv4' : 'IPv6'})`,
      detail:
        'Traffic of local pods cannot be told from other traffic: with external policy Local it is not short-circuited, and cluster IP traffic from outside is not masqueraded unless masqueradeAll is set.',
    })
    return { kind: 'none' }
  }
  switch (detectLocalMode || 'ClusterCIDR') {
    case 'BridgeInterface': {
      const interfaceName = detectLocal?.bridgeInterface ?? ''
      return isInterfaceName(interfaceName)
        ? { kind: 'bridge', interfaceName }
        : none('detectLocal.bridgeInterface is not an interface name')
    }
    case 'InterfaceNamePrefix': {
      const prefix = detectLocal?.interfaceNamePrefix ?? ''
      return isInterfaceName(prefix)
        ? { kind: 'prefix', prefix }
        : none('detectLocal.interfaceNamePrefix is not the beginning of an interface name')
    }
    case 'NodeCIDR': {
      const cidr = byFamily((node?.spec?.podCIDRs ?? [node?.spec?.podCIDR ?? '']).map(text => parseCIDR(text)))[family][0]
      return cidr === undefined ? none('the Node has no pod CIDR of this family') : { kind: 'cidr', cidr }
    }
    default: {
      const cidr = byFamily((detectLocal?.clusterCIDRs ?? (clusterCIDR ?? '').split(',')).map(text => parseCIDR(text.trim())))[family][0]
      return cidr === undefined ? none('clusterCIDR has no CIDR of this family') : { kind: 'cidr', cidr }
    }
  }
}
