import { type Family, parseCIDR } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import { isInterfaceName } from '../names.ts'
import type { KubeProxyConfiguration, Node } from '../snapshot/types.ts'
import { cidrsOf } from './cidrs.ts'
import type { LocalDetector } from './types.ts'

/**
 * How traffic of local pods is told from other traffic in one family (kube-proxy's getLocalDetectors); without a usable value for the
 * family it is not told at all, which is reported.
 * @throws DiagnosticsError when clusterCIDR is needed and not a CIDR.
 */
export function localDetector(
  { detectLocalMode, detectLocal, clusterCIDR }: KubeProxyConfiguration,
  node: Node | undefined,
  family: Family,
  report: Report,
): LocalDetector {
  switch (detectLocalMode || 'ClusterCIDR') {
    case 'BridgeInterface': {
      const interfaceName = detectLocal?.bridgeInterface ?? ''
      if (isInterfaceName(interfaceName)) return { kind: 'bridge', interfaceName }
      return none('detectLocal.bridgeInterface is not an interface name', family, report)
    }
    case 'InterfaceNamePrefix': {
      const prefix = detectLocal?.interfaceNamePrefix ?? ''
      if (isInterfaceName(prefix)) return { kind: 'prefix', prefix }
      return none('detectLocal.interfaceNamePrefix is not the beginning of an interface name', family, report)
    }
    case 'NodeCIDR': {
      const podCIDRs = node?.spec?.podCIDRs ?? [node?.spec?.podCIDR ?? '']
      const cidr = podCIDRs.map(parseCIDR).find(parsed => parsed?.family === family)?.text
      return cidr === undefined ? none('the Node has no pod CIDR of this family', family, report) : { kind: 'cidr', cidr }
    }
    case 'ClusterCIDR': {
      if (detectLocal?.clusterCIDRs && detectLocal.clusterCIDRs.length > 0) reportClusterCIDRs(report)
      const [cidr] = cidrsOf(clusterCIDR ? clusterCIDR.split(',') : [], family, 'clusterCIDR')
      return cidr === undefined ? none('clusterCIDR has no CIDR of this family', family, report) : { kind: 'cidr', cidr }
    }
    default:
      return none('detectLocalMode is not known', family, report)
  }
}

/** v1alpha1 keeps these CIDRs in clusterCIDR alone; only kube-proxy's internal form of the configuration has the list. */
function reportClusterCIDRs(report: Report): void {
  report({
    severity: 'warning',
    place: { object: 'KubeProxyConfiguration', path: 'detectLocal.clusterCIDRs' },
    summary: 'v1alpha1 has no such field',
    detail: 'kube-proxy ignores it: write the CIDRs, one of each family with a comma between them, in clusterCIDR.',
  })
}

function none(summary: string, family: Family, report: Report): LocalDetector {
  report({
    severity: 'warning',
    place: { object: 'KubeProxyConfiguration', path: 'detectLocalMode' },
    summary: `${summary} (${family === 'ipv4' ? 'IPv4' : 'IPv6'})`,
    detail:
      'Traffic of local pods cannot be told from other traffic: with external policy Local it is not short-circuited, and cluster IP traffic from outside is not masqueraded unless masqueradeAll is set.',
  })
  return { kind: 'none' }
}
