import { styleText } from 'node:util'
import { type Comparison, type Difference, type FamilyComparison, meaningOf, type ServiceRef, serviceText } from '../../compare/index.ts'
import { printable } from '../../diagnostics.ts'
import type { AnyMode } from '../modes/index.ts'

export interface AgainstView {
  readonly mode: Pick<AnyMode, 'name' | 'form'>
  readonly comparison: Comparison
  /** Say what each kind of object is for. */
  readonly explain: boolean
}

const KINDS = ['missing', 'extra', 'different'] as const

/** So many services are named for one thing; a thing of more belongs to none of them in particular. */
const MAX_NAMES = 3

/** The differences by service, what belongs to no service after them, then notes and a summary. Lines with `-` are asked for, with `+` in the dump. */
export function againstTextView({ mode, comparison, explain }: AgainstView, color: boolean): string {
  const paint = (style: 'red' | 'green' | 'bold', text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text
  // A dump is untrusted text.
  const safe = (text: string): string => printable(text, Number.POSITIVE_INFINITY)
  const lines: string[] = []
  for (const { family, differences } of comparison.families) {
    for (const [title, group] of byService(differences)) {
      lines.push(paint('bold', safe(`${title}, ${family}:`)))
      for (const { kind, object, wanted, found } of group) {
        const meaning = explain ? meaningOf(object) : undefined
        lines.push(`  ${kind} ${safe(object)}${meaning === undefined ? '' : ` (${meaning})`}`)
        lines.push(...wanted.map(text => paint('red', `    - ${safe(text)}`)), ...found.map(text => paint('green', `    + ${safe(text)}`)))
      }
    }
  }
  if (lines.length > 0) lines.push('')
  for (const { family, notes } of comparison.families) lines.push(...notes.map(note => safe(`note: ${family}: ${note}`)))
  lines.push(...comparison.notes.map(note => safe(`note: ${note}`)), summaryLine(mode, comparison))
  return `${lines.join('\n')}\n`
}

function byService(differences: readonly Difference[]): [string, Difference[]][] {
  const groups = new Map<string, Difference[]>()
  for (const difference of differences) {
    const title = titleOf(difference.services)
    const known = groups.get(title)
    if (known === undefined) groups.set(title, [difference])
    else known.push(difference)
  }
  return [...groups].sort(([a], [b]) => Number(a === NO_SERVICE) - Number(b === NO_SERVICE) || (a < b ? -1 : 1))
}

const NO_SERVICE = 'Of no single service'

function titleOf(services: readonly ServiceRef[]): string {
  return services.length === 0 || services.length > MAX_NAMES ? NO_SERVICE : services.map(serviceText).join(', ')
}

function summaryLine({ form }: AgainstView['mode'], comparison: Comparison): string {
  const { missing, extra, different, services } = summary(comparison.families)
  const families = comparison.families.map(({ family }) => family).join(' and ')
  if (missing + extra + different === 0) return `same: the dump has what the snapshot asks for (${form}, ${families})`
  const count = services.length === 1 ? '1 service' : `${services.length} services`
  return `${missing} missing, ${extra} extra, ${different} different; ${count} (${form}, ${families}; - asked for by the snapshot, + in the dump)`
}

interface Summary {
  readonly missing: number
  readonly extra: number
  readonly different: number
  /** `namespace/name`, sorted. */
  readonly services: readonly string[]
}

function summary(families: readonly FamilyComparison[]): Summary {
  const all = families.flatMap(({ differences }) => differences)
  const [missing = 0, extra = 0, different = 0] = KINDS.map(kind => all.filter(difference => difference.kind === kind).length)
  const services = new Set(all.flatMap(difference => difference.services.map(({ namespace, name }) => `${namespace}/${name}`)))
  return { missing, extra, different, services: [...services].sort() }
}

/** Everything as JSON. A port is null where it is not known which one it is. */
export function againstJsonView({ mode, comparison, explain }: AgainstView): string {
  const { families, notes } = comparison
  const document = {
    apiVersion: 'kubenft/v1',
    kind: 'Comparison',
    mode: mode.name,
    layout: mode.form,
    different: families.some(({ differences }) => differences.length > 0),
    families: families.map(comparison => ({
      family: comparison.family,
      differences: comparison.differences.map(({ kind, object, services, wanted, found }) => ({
        kind,
        object,
        ...(explain ? { meaning: meaningOf(object) ?? null } : {}),
        services: services.map(({ namespace, name, portName }) => ({ namespace, name, port: portName ?? null })),
        wanted,
        found,
      })),
      notes: comparison.notes,
    })),
    notes,
    summary: summary(families),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
