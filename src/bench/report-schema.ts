import { CANDIDATE_NAMES } from './candidates.ts'
import { UPDATE_NAMES } from './updates.ts'

/** JSON Schema (draft 7) of a BenchReport. Fields that it does not name may come with later versions. */

const amount = { type: 'number', minimum: 0 } as const
const wholeAmount = { type: 'integer', minimum: 0 } as const
const amountOrNull = { type: ['number', 'null'], minimum: 0 } as const
const text = { type: 'string' } as const

function object(properties: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } } as const
}

const orNull = (schema: object) => ({ anyOf: [{ type: 'null' }, schema] }) as const

const distribution = object({ mean: amount, p50: amount, p90: amount, p99: amount })
const cpuParts = object({ user: amount, system: amount })

const update = object(
  {
    samples: { type: 'integer', minimum: 1 },
    operations: wholeAmount,
    computeMs: distribution,
    applyMs: orNull(distribution),
    applyCpuMs: orNull(cpuParts),
    totalMs: orNull(distribution),
    sessionMs: orNull(distribution),
  },
  { applyOverMs: amount },
)

const result = object(
  {
    layout: { enum: CANDIDATE_NAMES },
    services: { type: 'integer', minimum: 1 },
    endpoints: { type: 'integer', minimum: 1 },
    compileMs: amount,
    scriptBytes: wholeAmount,
    loadMs: amountOrNull,
    loadCpuMs: orNull(cpuParts),
    update: { type: 'object', propertyNames: { enum: UPDATE_NAMES }, additionalProperties: update },
    restartMs: amountOrNull,
    residentBytes: amountOrNull,
    nftPeakBytes: amountOrNull,
    connectionsPerSecond: amountOrNull,
    spread: { type: 'object', additionalProperties: object({ min: amount, max: amount }) },
  },
  { loadOverMs: amount },
)

export const REPORT_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://kubenft/v1/BenchReport',
  ...object({
    apiVersion: { const: 'kubenft/v1' },
    kind: { const: 'BenchReport' },
    host: object({
      kernel: text,
      nft: { type: ['string', 'null'] },
      node: text,
      cpu: text,
      cpus: { type: 'integer', minimum: 1 },
      memoryBytes: wholeAmount,
      namespace: { enum: ['root', 'user namespace', null] },
    }),
    budgetMs: amount,
    rounds: { type: 'integer', minimum: 1 },
    results: { type: 'array', items: result },
    notes: { type: 'array', items: text },
  }),
}
