import { Ajv } from 'ajv'
import { LAYOUTS } from '../nft/layouts/index.ts'

const text = { type: 'string', maxLength: 65_536 } as const
const texts = { type: 'array', items: text } as const
/** Of an nft script: one line. */
const command = { type: 'string', pattern: '^[^\\n\\r]+$' } as const

function object(properties: Readonly<Record<string, object>>) {
  return { type: 'object', required: Object.keys(properties), properties } as const
}

const FAMILY = { enum: ['ipv4', 'ipv6'] } as const
const ENDPOINTS = { type: 'array', items: object({ ip: text, port: { type: 'integer' } }) } as const
const VIEW = object({
  port: object({ namespace: text, name: text, portName: text, protocol: { const: 'udp' }, port: { type: 'integer' }, clusterIP: text }),
  endpoints: object({ cluster: ENDPOINTS, local: ENDPOINTS, reachable: ENDPOINTS, all: ENDPOINTS, any: { type: 'boolean' } }),
})

const SCHEMA = object({
  apiVersion: { const: 'kubenft/v1' },
  kind: { const: 'Plan' },
  layout: { enum: Object.keys(LAYOUTS) },
  metadata: object({ applied: text, snapshot: text, files: text, layout: text, node: text, version: text, contents: text }),
  services: texts,
  tables: {
    type: 'array',
    items: object({
      family: FAMILY,
      startsFrom: { type: ['string', 'null'] },
      deferred: texts,
      commands: { type: 'array', items: object({ command, because: texts }) },
    }),
  },
  families: {
    type: 'array',
    items: object({
      node: object({
        family: FAMILY,
        nodeIP: text,
        hostAddresses: { type: 'array' },
        nftables: object({ nodePortAddresses: { type: 'object' } }),
      }),
      changes: { type: 'array', items: { type: 'object', properties: { before: VIEW, after: VIEW } } },
    }),
  },
})

const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(SCHEMA)

/** What is wrong with a plan that was read from a file; undefined: nothing. */
export function savedPlanProblems(document: unknown): string | undefined {
  if (validate(document)) return undefined
  const { instancePath, message } = validate.errors?.[0] ?? {}
  return `${instancePath === undefined || instancePath === '' ? 'the document' : instancePath} ${message}`
}
