import type { Applied } from '../../apply/apply.ts'
import { isEmpty, type Plan, reasons } from '../../apply/plan.ts'
import type { Phase } from '../../apply/stopwatch.ts'
import { countByKind } from '../../delta/statistics.ts'
import { printCommand, tablePath } from '../../nft/print.ts'

const SERVICES_SHOWN = 10

/** What a plan does: operations by kind and the services that they are for; with `explain` every command, its reasons above it. */
export function planView(plan: Plan, explain: boolean): string {
  if (isEmpty(plan)) return 'nothing to do: the rules are as the snapshot asks for\n'
  const { services } = plan
  let text = ''
  for (const table of plan.tables) {
    if (table.operations.length === 0) continue
    const kinds = Object.entries(kindsOf(table)).map(([kind, count]) => `${count} ${kind}`)
    text += `table ${tablePath(table)}: ${kinds.join(', ')}\n`
    if (table.deferred.size > 0)
      text += `  ${table.deferred.size} chains stay, empty, until the next apply: this kernel cannot delete them at once\n`
    if (explain) text += explained(table)
  }
  const names = `${services.slice(0, SERVICES_SHOWN).join(', ')}${services.length > SERVICES_SHOWN ? ', …' : ''}`
  return `${text}${services.length} service${services.length === 1 ? '' : 's'} touched${services.length > 0 ? `: ${names}` : ''}\n`
}

function explained(table: Plan['tables'][number]): string {
  let text = ''
  let reason = ''
  for (const operation of table.operations) {
    const next = reasons(operation)
      .map(line => `  # ${line}\n`)
      .join('')
    if (next !== reason) text += next
    reason = next
    text += `  ${printCommand(operation, table)}\n`
  }
  return text
}

/** What became of it, and how long each step took. */
export function summaryView({ outcome, phases, conntrack, proof, tries, plan }: Applied): string {
  const count = plan.tables.reduce((sum, { operations }) => sum + operations.length, 0)
  const what = {
    applied: `applied ${count} operation${count === 1 ? '' : 's'}, ${proof === 'monitor' ? 'confirmed by the kernel' : 'read back and compared'}${tries > 1 ? ' (the table had changed meanwhile: second try)' : ''}`,
    unchanged: 'nothing to do: the rules are as the snapshot asks for',
    declined: 'not applied',
  }[outcome]
  const flows = conntrack === undefined || conntrack.deleted === 0 ? '' : `; ${conntrack.deleted} stale UDP flows forgotten`
  return `${what}${flows}\n${phasesText(phases)}\n`
}

function phasesText(phases: readonly Phase[]): string {
  // How long the user took to answer is not counted.
  const total = phases.reduce((sum, { name, ms }) => sum + (name === 'ask' ? 0 : ms), 0)
  return [...phases.filter(({ name, ms }) => ms >= 0.5 && name !== 'ask'), { name: 'total', ms: total }]
    .map(({ name, ms }) => `${name} ${Math.round(ms)} ms`)
    .join(', ')
}

export function planJSON(plan: Plan, explain: boolean): object {
  return {
    servicesTouched: plan.services,
    tables: plan.tables.map(table => ({
      family: table.family,
      table: table.table,
      byKind: kindsOf(table),
      deferredChains: [...table.deferred],
      ...(explain
        ? { operations: table.operations.map(operation => ({ command: printCommand(operation, table), because: reasons(operation) })) }
        : {}),
    })),
  }
}

export function appliedJSON({ outcome, plan, phases, conntrack, proof, tries }: Applied, explain: boolean): string {
  const document = {
    apiVersion: 'kubenft/v1',
    kind: 'Applied',
    outcome,
    ...planJSON(plan, explain),
    metadata: plan.metadata,
    tries,
    proof,
    conntrack: conntrack === undefined ? undefined : { deleted: conntrack.deleted },
    phases: phases.map(({ name, ms }) => ({ name, ms: Math.round(ms * 10) / 10 })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function kindsOf({ operations }: Plan['tables'][number]): Record<string, number> {
  return countByKind(operations.map(({ verb, object }) => `${verb} ${object.kind}`))
}
