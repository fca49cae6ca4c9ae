import { clusterMetadata } from './metadata.ts'
import { list, object, text } from './schema.ts'

/** networking.k8s.io/v1 ServiceCIDR. */
export const serviceCIDRSchema = object(
  { metadata: clusterMetadata('dns-subdomain'), spec: object({ cidrs: list(text('cidr'), { minItems: 1, maxItems: 2 }) }, ['cidrs']) },
  ['metadata', 'spec'],
)
