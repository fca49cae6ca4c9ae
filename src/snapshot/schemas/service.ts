import { namespacedMetadata } from './metadata.ts'
import { integer, ipFamily, list, object, oneOf, port, portOrZero, protocol, text } from './schema.ts'

const trafficPolicy = oneOf('Cluster', 'Local')

/** core/v1 Service. Rules that compare fields are in `validation/service-rules.ts`. */
export const serviceSchema = object(
  {
    metadata: namespacedMetadata('dns-label'),
    spec: object({
      type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
      clusterIP: text('cluster-ip'),
      clusterIPs: list(text('cluster-ip'), { maxItems: 2 }),
      ipFamilies: list(ipFamily, { maxItems: 2 }),
      ports: list(object({ name: text('port-name'), port, protocol, nodePort: portOrZero }, ['port'])),
      internalTrafficPolicy: trafficPolicy,
      externalTrafficPolicy: trafficPolicy,
      sessionAffinity: oneOf('None', 'ClientIP'),
      sessionAffinityConfig: object({ clientIP: object({ timeoutSeconds: integer(1, 86400) }) }),
      externalIPs: list(text('address')),
      loadBalancerSourceRanges: list(text('source-range')),
      healthCheckNodePort: portOrZero,
    }),
    status: object({
      loadBalancer: object({
        ingress: list(object({ ip: text('address-or-empty'), hostname: text('domain-name-or-empty'), ipMode: oneOf('VIP', 'Proxy') })),
      }),
    }),
  },
  ['metadata', 'spec'],
)
