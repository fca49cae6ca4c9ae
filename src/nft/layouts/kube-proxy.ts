import { emitBase } from './base.ts'
import { emitHairpins } from './frontends.ts'
import type { Layout } from './layout.ts'
import { DIALECT_1_36, type Dialect, emitServiceChains } from './service-chains.ts'

const TABLE = { table: 'kube-proxy', tableComment: 'rules for kube-proxy', keepsSlots: false } as const

/** kube-proxy 1.33 to 1.35: a chain an endpoint. */
const DIALECT_1_34: Dialect = {
  ...DIALECT_1_36,
  mark: () => 'jump mark-for-masquerade',
  markComment: '',
  chainPerEndpoint: true,
  hairpinInEndpointChain: true,
  marksClusterIPInChain: true,
  interfaceKeyword: 'iif',
}

export const kubeProxy134: Layout = {
  ...TABLE,
  name: 'kube-proxy-1.34',
  sharedSets: new Set(['cluster-ips']),
  base: (node, sink) => emitBase(node, { marking: 'chain' }, sink),
  servicePort: ({ port, endpoints, endpointsBefore136 }, node, sink) =>
    emitServiceChains({ port, endpoints: endpointsBefore136 ?? endpoints }, node, DIALECT_1_34, sink),
}

function withHairpinSet(name: Layout['name'], dialect: Dialect): Layout {
  return {
    ...TABLE,
    name,
    sharedSets: new Set(['cluster-ips', 'hairpin-connections']),
    base: (node, sink) => emitBase(node, { marking: 'inline' }, sink),
    servicePort(view, node, sink) {
      emitServiceChains(view, node, dialect, sink)
      emitHairpins(view, sink)
    },
  }
}

/** kube-proxy 1.36: a numgen map a service chain. */
export const kubeProxy136 = withHairpinSet('kube-proxy-1.36', DIALECT_1_36)

/** kube-proxy 1.37: as 1.36, but a chain with exactly one endpoint has no map. */
export const kubeProxy137 = withHairpinSet('kube-proxy-1.37', { ...DIALECT_1_36, plainSingleEndpoint: true })
