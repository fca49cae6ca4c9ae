import type { Ownership } from './compare.ts'

const HUBS = new Set(['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-EXTERNAL-SERVICES', 'KUBE-PROXY-FIREWALL'])
const FIXED = new Set([...HUBS, 'KUBE-FORWARD', 'KUBE-FIREWALL', 'KUBE-POSTROUTING', 'KUBE-MARK-MASQ'])

/** The chains of kube-proxy's iptables mode. Its canary, and the chains of kubelet, are not among them: they say nothing about services. */
export const IPTABLES_OWNERSHIP: Ownership = {
  owns: chain => FIXED.has(chain) || /^KUBE-(SVC|SVL|EXT|FW|SEP)-[A-Z2-7]{16}$/.test(chain),
  isUnordered: chain => HUBS.has(chain),
}
