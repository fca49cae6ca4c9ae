import path from 'node:path'
import { modeOf } from '../../src/cli/modes/index.ts'
import { changesBetween } from '../../src/delta/change.ts'
import type { Origin } from '../../src/delta/operation.ts'
import { ResidentRules } from '../../src/delta/resident-rules.ts'
import { countByKind } from '../../src/delta/statistics.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { viewsOf } from '../../src/model/views.ts'
import { GOLDEN_CASES, type GoldenCase } from '../../test/support/golden.ts'
import { characteristic, frequencies } from './characteristic.ts'
import { COLUMNS, type ModeColumn, type Thing } from './modes.ts'
import { CHANGES, SECTIONS } from './sentences.ts'

const report = (): void => {}
const CASES: ReadonlyMap<string, GoldenCase> = new Map(
  GOLDEN_CASES.filter(({ name }) => name.startsWith('basic/')).map(golden => [path.basename(golden.name), golden]),
)

/** Names of cases that a row stands for although there is no such case, and of cases that have no row. */
export function uncovered(): { readonly withoutCase: string[]; readonly withoutRow: string[] } {
  const rows = new Set([...SECTIONS, CHANGES].flatMap(({ features }) => features.map(feature => feature.case)))
  return { withoutCase: [...rows].filter(name => !CASES.has(name)), withoutRow: [...CASES.keys()].filter(name => !rows.has(name)) }
}

/** The page docs/features.md. */
export function featurePage(): string {
  const seen = new Map([...CASES].map(([name, golden]) => [name, COLUMNS.map(column => look(golden, column))]))
  const counts = COLUMNS.map((_, index) => frequencies([...seen.values()].map(columns => columns[index]?.all ?? [])))
  const cell = (name: string, index: number): string => {
    const { all = [], base = [] } = seen.get(name)?.[index] ?? {}
    const isEmpty = all.length === base.length
    const typical = characteristic(all, counts[index] ?? new Map())
    return [countText(all, isEmpty ? [] : base), ...(typical === undefined ? [] : [code(typical.text)])].join('<br>')
  }
  const tables = SECTIONS.map(({ title, features }) =>
    table(
      title,
      features.map(feature => [feature.sentence, ...COLUMNS.map((_, index) => cell(feature.case, index))]),
    ),
  )
  const changes = CHANGES.features.map(feature => {
    const golden = CASES.get(feature.case)
    return [feature.sentence, ...COLUMNS.map(column => (golden === undefined ? '' : operations(golden, column)))]
  })
  return [INTRODUCTION, ...tables, table(CHANGES.title, changes, ABOUT_CHANGES)].join('\n')
}

const INTRODUCTION = `# What each mode does with each Service feature

Made from the golden cases in \`golden/basic\` by \`npx tsx scripts/feature-table.ts --write\`; a test fails when this page is not what that prints.
Each row is one case. A cell says what the Services of the case add on the node, beyond what the mode has there without any Service (for Services that
add nothing: what it has), and shows the rule, element, set entry or virtual server that fewest other cases have. A rule or element stands behind its
chain, set or map.
`

const ABOUT_CHANGES = `The operations of all steps together, as \`kubenft diff\` gives them: commands of nft, chains and rules of \`iptables-restore --noflush\`,
commands of ipvsadm, ipset and ip.

`

function look({ snapshots, configuration, host }: GoldenCase, column: ModeColumn): { readonly all: Thing[]; readonly base: Thing[] } {
  const snapshot = snapshots[0]
  const node = snapshot && nodeContexts({ snapshot, configuration, host, nodeName: undefined, report })[0]
  if (snapshot === undefined || node === undefined) return { all: [], base: [] }
  return { all: column.things(node, viewsOf(snapshot, node, report)), base: column.things(node, []) }
}

function operations({ snapshots, configuration, host }: GoldenCase, column: ModeColumn): string {
  const mode = modeOf(column)
  const rules = new ResidentRules<{ readonly origins: readonly Origin[] }>({ configuration, host, report }, mode.createState)
  const kinds: string[] = []
  for (const [step, snapshot] of snapshots.entries()) {
    const before = snapshots[step - 1] ?? { nodes: [], serviceCIDRs: [], services: [], endpointSlices: [] }
    const commits = rules.commit(changesBetween(before, snapshot))
    if (step > 0) kinds.push(...commits.flatMap(commit => commit.operations.map(mode.kindOf)))
  }
  return Object.entries(countByKind(kinds))
    .map(([kind, count]) => `${count} × ${kind}`)
    .join('<br>')
}

function countText(all: readonly Thing[], base: readonly Thing[]): string {
  const before = countByKind(base.map(({ kind }) => kind))
  const added = Object.entries(countByKind(all.map(({ kind }) => kind))).map(
    ([kind, count]) => [kind, count - (before[kind] ?? 0)] as const,
  )
  const texts = added.filter(([, count]) => count !== 0).map(([kind, count]) => `${count} ${count === 1 ? kind : plural(kind)}`)
  return texts.length === 0 ? 'nothing' : texts.join(', ')
}

function plural(kind: string): string {
  if (kind.endsWith('y')) return `${kind.slice(0, -1)}ies`
  return kind.endsWith('s') ? `${kind}es` : `${kind}s`
}

/** Longest text in a cell: the page is read side by side. */
const MAX_CODE = 160

function code(text: string): string {
  const short = text.replaceAll(/([A-Z2-7]{8})-[a-z0-9-]+\/[^\s:]*/g, '$1-…').replaceAll(/"([^"]{40})[^"]*"/g, '"$1…"')
  return `\`${short.length > MAX_CODE ? `${short.slice(0, MAX_CODE)}…` : short}\``
}

function table(title: string, rows: readonly (readonly string[])[], about = ''): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  const head = ['Feature', ...COLUMNS.map(column => column.title)]
  return `## ${title}\n\n${about}${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`
}
