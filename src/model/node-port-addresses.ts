import { cidrContains, type Family, isLoopback } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import { cidrsOf } from './cidrs.ts'
import type { NodeContext, NodePortAddresses } from './types.ts'

/**
 * kube-proxy's NodePortAddresses in one family. `primary` stands for the node's IP, unless that is the assumed loopback one. No CIDR of the
 * family, or a zero one, means every local address. Otherwise those addresses of the host that a CIDR covers.
 * @throws DiagnosticsError when a value is neither a CIDR nor `primary` alone, as kube-proxy does not start then.
 */
export function nodePortAddresses(
  configured: readonly string[],
  { family, nodeIP, hostAddresses }: { readonly family: Family } & Pick<NodeContext, 'nodeIP' | 'hostAddresses'>,
  report: Report,
): NodePortAddresses {
  const isPrimary = configured.length === 1 && configured[0] === 'primary'
  const primary = isLoopback(nodeIP) ? [] : [`${nodeIP}/${family === 'ipv4' ? 32 : 128}`]
  const cidrs = isPrimary ? primary : cidrsOf(configured, family, 'nodePortAddresses')
  if (cidrs.length === 0 || cidrs.some(cidr => cidr.endsWith('/0'))) return { all: true }
  const covered = hostAddresses.map(({ address }) => address).filter(address => cidrs.some(cidr => cidrContains(cidr, address)))
  if (covered.length === 0) {
    report({
      severity: 'warning',
      place: { object: 'KubeProxyConfiguration', path: 'nodePortAddresses' },
      summary: `no address on the host's interfaces is in ${cidrs.join(', ')}`,
      detail:
        'Node ports of this family answer on no address (when nodePortAddresses is not set: in nftables mode, where it defaults to primary).',
    })
  }
  return { all: false, addresses: [...new Set(covered)] }
}
