import type { FormatName } from '../validation/formats.ts'
import { type ObjectSchema, object, text } from './schema.ts'

const labels: ObjectSchema = {
  type: 'object',
  propertyNames: { format: 'label-key' },
  additionalProperties: text('label-value'),
}

/** ObjectMeta of a kind without namespace. */
export function clusterMetadata(name: FormatName): ObjectSchema {
  return object({ name: text(name), labels, creationTimestamp: text('timestamp') }, ['name'])
}

/** ObjectMeta of a kind with namespace. */
export function namespacedMetadata(name: FormatName): ObjectSchema {
  return object({ name: text(name), namespace: text('dns-label'), labels, creationTimestamp: text('timestamp') }, ['name', 'namespace'])
}
