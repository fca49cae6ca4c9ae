import { boolean, integer, list, object, oneOf, text } from './schema.ts'

const masqueradeBit = integer(0, 31)

/** kubeproxy.config.k8s.io/v1alpha1 KubeProxyConfiguration, the fields that change rules on Linux. kubeadm writes '' and null for what is unset. */
export const kubeProxyConfigurationSchema = object({
  mode: oneOf('', 'iptables', 'ipvs', 'nftables'),
  hostnameOverride: text('hostname-override'),
  bindAddress: text('address-or-empty'),
  clusterCIDR: text('cluster-cidr'),
  detectLocalMode: oneOf('', 'ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'),
  detectLocal: object({
    bridgeInterface: text('interface-name-or-empty'),
    interfaceNamePrefix: text('interface-name-or-empty'),
    clusterCIDRs: list(text('cidr')),
  }),
  nodePortAddresses: list(text('node-port-address')),
  nftables: object({ masqueradeAll: boolean, masqueradeBit }),
  iptables: object({ masqueradeAll: boolean, masqueradeBit, localhostNodePorts: boolean }),
  ipvs: object({ scheduler: text('scheduler'), excludeCIDRs: list(text('cidr')), strictARP: boolean }),
})
