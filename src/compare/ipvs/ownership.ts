import type { Ownership } from '../../iptables/compare.ts'
import { OUT_FILTER } from '../../ipvs/iptables.ts'

/** The chains of kube-proxy's IPVS mode. */
const CHAINS: ReadonlySet<string> = new Set([
  'KUBE-SERVICES',
  'KUBE-POSTROUTING',
  'KUBE-NODE-PORT',
  'KUBE-LOAD-BALANCER',
  'KUBE-MARK-MASQ',
  'KUBE-FORWARD',
  'KUBE-PROXY-FIREWALL',
  'KUBE-SOURCE-RANGES-FIREWALL',
  'KUBE-IPVS-FILTER',
  OUT_FILTER,
])

export const IPVS_OWNERSHIP: Ownership = {
  owns: chain => CHAINS.has(chain),
  isUnordered: chain => chain === OUT_FILTER,
}
