import { clusterMetadata } from './metadata.ts'
import { list, type ObjectSchema, object, text } from './schema.ts'

/** `status.addresses` also holds host names and DNS names; those of the two IP types must be addresses. */
const address: ObjectSchema = {
  ...object({ type: text('label-value'), address: text('host-address') }, ['type', 'address']),
  if: { properties: { type: { enum: ['InternalIP', 'ExternalIP'] } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
  then: { properties: { address: text('address') } },
}

/** core/v1 Node. */
export const nodeSchema = object(
  {
    metadata: clusterMetadata('dns-subdomain'),
    spec: object({ podCIDR: text('cidr-or-empty'), podCIDRs: list(text('cidr')) }),
    status: object({ addresses: list(address) }),
  },
  ['metadata'],
)
