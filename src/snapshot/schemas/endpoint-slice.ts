import { namespacedMetadata } from './metadata.ts'
import { boolean, list, type ObjectSchema, object, oneOf, port, protocol, text } from './schema.ts'

const hints = (format: 'label-value' | 'dns-subdomain') => list(object({ name: text(format) }, ['name']))

const addressesAre = (format: 'address' | 'domain-name') =>
  ({ properties: { endpoints: list(object({ addresses: list(text(format)) })) } }) as const

/**
 * discovery.k8s.io/v1 EndpointSlice; the numbers are the API's. A port without name or number is legal and ignored by kube-proxy.
 * Only a slice of type FQDN has domain names for addresses.
 */
export const endpointSliceSchema: ObjectSchema = {
  ...object(
    {
      metadata: namespacedMetadata('dns-subdomain'),
      addressType: oneOf('IPv4', 'IPv6', 'FQDN'),
      ports: list(object({ name: text('port-name'), port, protocol }), { maxItems: 20000 }),
      endpoints: list(
        object(
          {
            addresses: list(text(), { minItems: 1, maxItems: 100 }),
            conditions: object({ ready: boolean, serving: boolean, terminating: boolean }),
            nodeName: text('dns-subdomain'),
            zone: text('label-value'),
            hints: object({ forZones: hints('label-value'), forNodes: hints('dns-subdomain') }),
          },
          ['addresses'],
        ),
        { maxItems: 1000 },
      ),
    },
    ['metadata', 'addressType'],
  ),
  if: { properties: { addressType: { const: 'FQDN' } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
  then: addressesAre('domain-name'),
  else: addressesAre('address'),
}
