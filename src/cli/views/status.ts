import type { Metadata } from '../../apply/metadata.ts'
import type { Status, TableStatus } from '../../apply/status.ts'
import { printable } from '../../diagnostics.ts'
import { tablePath } from '../../nft/print.ts'
import { planJSON, planView } from './apply.ts'

/** Each table in a paragraph, then what would repair them. */
export function statusText({ tables, plan, state }: Status, table: string): string {
  if (tables.length === 0) return `no table ${table}: absent\n`
  const paragraphs = tables.map(
    status => `table ${tablePath({ family: status.family, table })}: ${words(status, plan !== undefined)}\n${origin(status.metadata)}`,
  )
  return `${paragraphs.join('')}${plan !== undefined && state !== 'in sync' ? `kubenft apply would do:\n${planView(plan, false)}` : ''}`
}

function words({ state }: TableStatus, compared: boolean): string {
  switch (state) {
    case 'in sync':
      return compared ? 'in sync with the snapshot' : 'in sync: as the last apply left it'
    case 'drifted':
      return compared ? 'differs from the snapshot' : 'drifted: it was changed since the last apply'
    case 'unknown':
      return 'present, not from kubenft apply: compare it with a snapshot (-f)'
    case 'absent':
      return 'absent'
  }
}

/** The text comes from the kernel's table: anyone may have written it. */
function origin(metadata: Partial<Metadata> | undefined): string {
  if (metadata?.applied === undefined) return ''
  const { applied, snapshot, files, node, layout, version } = metadata
  const facts = [
    `applied ${applied}`,
    `from ${files ?? 'a snapshot'} (digest ${snapshot ?? 'unknown'})`,
    `for node ${node ?? 'unknown'}`,
    `layout ${layout ?? 'unknown'}`,
    `by kubenft ${version ?? 'unknown'}`,
  ]
  return `  ${printable(facts.join(', '), 400)}\n`
}

export function statusJSON({ state, tables, plan }: Status, table: string): string {
  const document = {
    apiVersion: 'kubenft/v1',
    kind: 'Status',
    state,
    table,
    tables: tables.map(({ family, state, metadata }) => ({ family, state, metadata: metadata ?? null })),
    ...(plan === undefined ? {} : { repair: planJSON(plan, false) }),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
