import { type Family, parseCIDR } from '../address.ts'
import { DiagnosticsError, type Report } from '../diagnostics.ts'
import { isSchedulerName } from '../names.ts'
import type { HostFacts, KubeProxyConfiguration, ServiceCIDR, Snapshot } from '../snapshot/types.ts'
import { cidrsOf, unusable } from './cidrs.ts'
import { localDetector } from './local-detector.ts'
import { addressesOf, assumedAddresses, familyOf, interfaceAddresses, LOOPBACK, primaryAddresses } from './node-addresses.ts'
import { nodePortAddresses } from './node-port-addresses.ts'
import type { NodeContext } from './types.ts'

/** Default of masqueradeBit in every mode. */
const DEFAULT_MASQUERADE_BIT = 14
const FAMILIES: readonly Family[] = ['ipv4', 'ipv6']

export interface NodeInput {
  readonly snapshot: Snapshot
  readonly configuration: KubeProxyConfiguration | undefined
  readonly host: HostFacts | undefined
  /** `--node`: before hostnameOverride, the host's facts and the snapshot. */
  readonly nodeName: string | undefined
  /** Only this family: nothing is said of the other one. */
  readonly family?: Family | undefined
  readonly report: Report
}

/**
 * The node in each of its families. Defaults are kube-proxy 1.36's. What is missing is said with what follows from it.
 * @throws DiagnosticsError when it is unclear which node is meant, or the configuration has a value with which kube-proxy does not start.
 */
export function nodeContexts({
  snapshot,
  configuration = { kind: 'KubeProxyConfiguration' },
  host,
  nodeName,
  family: only,
  report,
}: NodeInput): NodeContext[] {
  // kube-proxy trims the override and lowers its case, as kubelet does (component-helpers' GetHostname).
  const override = configuration.hostnameOverride?.trim().toLowerCase() || undefined
  const name = nodeName ?? override ?? host?.nodeName ?? soleNode(snapshot)
  const node = snapshot.nodes.find(candidate => candidate.metadata.name === name)
  if (node === undefined) {
    report({
      severity: 'warning',
      place: { object: `Node ${name}` },
      summary: 'the snapshot does not hold this Node',
      detail:
        'Its zone, addresses and pod CIDRs are unknown: topology hints by zone do not apply, no source range covers it, and "primary" node port addresses are all of its addresses. Add it: kubectl get nodes -o yaml.',
    })
  }
  const addresses = addressesOf(node)
  const primary = primaryAddresses(addresses, configuration)
  const hostAddresses = host === undefined ? assumedAddresses(addresses) : interfaceAddresses(host)
  const families = FAMILIES.filter(family =>
    host === undefined
      ? addresses.some(address => familyOf(address) === family)
      : host.families.includes(family === 'ipv4' ? 'IPv4' : 'IPv6'),
  )
  const wanted = (families.length > 0 ? families : FAMILIES).filter(family => only === undefined || family === only)
  return wanted.map(family => {
    const nodeIP = primary[family]
    if (nodeIP === undefined && node !== undefined) {
      report({
        severity: 'warning',
        place: { object: `Node ${name}`, path: 'status.addresses' },
        summary: `the node has no ${family === 'ipv4' ? 'IPv4' : 'IPv6'} address`,
        detail:
          'kube-proxy then takes the loopback address for it: no source range covers the node, and "primary" node port addresses are all of its addresses of this family.',
      })
    }
    const context = {
      family,
      nodeIP: nodeIP ?? LOOPBACK[family],
      hostAddresses: hostAddresses.filter(({ address }) => familyOf(address) === family),
    }
    const configured = configuration.nodePortAddresses ?? []
    const nodePorts = nodePortAddresses(configured, context, report)
    return {
      ...context,
      nodeName: name,
      zone: node?.metadata.labels?.['topology.kubernetes.io/zone'] ?? '',
      localDetector: localDetector(configuration, node, family, report),
      serviceCIDRs: serviceCIDRs(snapshot.serviceCIDRs, family, report),
      nftables: {
        masqueradeAll: configuration.nftables?.masqueradeAll ?? false,
        masqueradeMark: masqueradeMark(configuration.nftables?.masqueradeBit, 'nftables'),
        nodePortAddresses: configured.length > 0 ? nodePorts : nodePortAddresses(['primary'], context, report),
      },
      iptables: {
        masqueradeAll: configuration.iptables?.masqueradeAll ?? false,
        masqueradeMark: masqueradeMark(configuration.iptables?.masqueradeBit, 'iptables'),
        nodePortAddresses: nodePorts,
        localhostNodePorts: configuration.iptables?.localhostNodePorts ?? true,
        nfacct: new Set(host?.nfacct ?? []),
      },
      ipvs: {
        scheduler: scheduler(configuration),
        excludeCIDRs: cidrsOf(configuration.ipvs?.excludeCIDRs ?? [], family, 'ipvs.excludeCIDRs'),
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

function serviceCIDRs(objects: readonly ServiceCIDR[], family: Family, report: Report): string[] {
  const found = new Set<string>()
  for (const { metadata, spec } of objects) {
    for (const [index, text] of spec.cidrs.entries()) {
      const cidr = parseCIDR(text)
      if (cidr?.family === family) found.add(cidr.text)
      if (cidr !== undefined) continue
      report({
        severity: 'error',
        place: { object: `ServiceCIDR ${metadata.name}`, path: `spec.cidrs[${index}]` },
        summary: `"${text}" is not a CIDR`,
        detail: 'Traffic to its unused addresses is not dropped: correct it.',
      })
    }
  }
  return [...found].sort()
}

function masqueradeMark(configured: number | null | undefined, mode: string): string {
  const bit = configured ?? DEFAULT_MASQUERADE_BIT
  if (!Number.isInteger(bit) || bit < 0 || bit > 31)
    throw unusable(`${mode}.masqueradeBit`, `${bit} is not a bit of the mark`, 'Write 0 to 31.')
  return `0x${(2 ** bit).toString(16).padStart(8, '0')}`
}

function scheduler({ ipvs }: KubeProxyConfiguration): string {
  const name = ipvs?.scheduler || 'rr'
  if (!isSchedulerName(name))
    throw unusable('ipvs.scheduler', `"${name}" is not the name of a scheduler`, 'Write one such as rr, lc or sh.')
  return name
}
