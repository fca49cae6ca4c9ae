import type { Family } from '../address.ts'
import { DiagnosticsError } from '../diagnostics.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import type { TableContents } from '../nft/contents.ts'
import { LAYOUTS, type Layout } from '../nft/layouts/index.ts'
import type { FamilyComparison } from './difference.ts'
import type { FoundDumps } from './dumps/read.ts'
import type { Dump } from './dumps/recognise.ts'
import { dumpsOf, iptablesDumpOf, type ModeName } from './dumps/select.ts'
import { compareIptables } from './iptables/compare-iptables.ts'
import { readRuleset } from './iptables/read.ts'
import { compareIpvs } from './ipvs/compare-ipvs.ts'
import { notDumped, readIpvsDump } from './ipvs/read.ts'
import { compareTable } from './nft/compare-table.ts'
import { noSuchTable, readTable } from './nft/read.ts'

export * from './difference.ts'
export { type FoundDumps, readDumps } from './dumps/read.ts'
export type { ModeName } from './dumps/select.ts'
export { meaningOf } from './meaning.ts'
export { type ServiceRef, serviceText } from './service-index.ts'

/** What dumps are held against. */
export interface ComparisonInput {
  readonly mode: ModeName
  /** Only counts in mode nftables. */
  readonly layout: Layout
  /** The node in each family that is to be compared. */
  readonly nodes: readonly NodeContext[]
  viewsOf(node: NodeContext): readonly ServicePortView[]
  readonly found: FoundDumps
}

export interface Comparison {
  readonly families: readonly FamilyComparison[]
  /** Sentences about what was left out. */
  readonly notes: readonly string[]
}

/**
 * Holds saved dumps of a node's live rules against what a snapshot asks for. A family that no dump is about is left out with a note.
 * @throws DiagnosticsError when no dump is of this mode, when one is damaged, and when they leave open what they are
 */
export function compareDumps(input: ComparisonInput): Comparison {
  const { mode, nodes, found } = input
  const dumps = dumpsOf(mode, found.dumps)
  const others = found.dumps.filter(dump => !dumps.includes(dump))
  const families = { nftables, iptables, ipvs }[mode](input, dumps)
  const absent = nodes.filter(({ family }) => !families.some(comparison => comparison.family === family))
  return {
    families,
    notes: [
      ...found.notes,
      ...others.map(({ file }) => `${file}: a dump of another mode; it was left out`),
      ...absent.map(({ family }) => `${family} was not compared: no dump is about it`),
    ],
  }
}

function nftables({ layout, nodes, viewsOf }: ComparisonInput, dumps: readonly Dump[]): FamilyComparison[] {
  const comparisons = nodes.flatMap(node => {
    const views = viewsOf(node)
    const tables = dumps.flatMap(dump => readTable(dump, { family: node.family, table: layout.table }) ?? [])
    if (tables.length > 1) throw twice(dumps, node.family)
    return tables.map(table => withLayoutNote(compareTable(layout, node, views, table), layout, node, views, table))
  })
  if (comparisons.length === 0) throw noSuchTable(dumps, layout)
  return comparisons
}

/** Says it when the table is rather that of another kube-proxy. */
function withLayoutNote(
  comparison: FamilyComparison,
  layout: Layout,
  node: NodeContext,
  views: readonly ServicePortView[],
  table: TableContents,
): FamilyComparison {
  const count = comparison.differences.length
  if (count === 0) return comparison
  const notes = Object.values(LAYOUTS)
    .filter(other => other !== layout && other.table === layout.table)
    .map(other => ({ name: other.name, differences: compareTable(other, node, views, table).differences.length }))
    .filter(({ differences }) => differences < count / 2)
    .map(
      ({ name, differences }) =>
        `the dump looks like layout ${name}: with --layout ${name} there are ${differences} differences, not ${count}`,
    )
  return { ...comparison, notes: [...comparison.notes, ...notes] }
}

function iptables({ nodes, viewsOf }: ComparisonInput, dumps: readonly Dump[]): FamilyComparison[] {
  const comparisons = nodes.flatMap(node => {
    const dump = iptablesDumpOf(node.family, dumps, familiesOf(nodes))
    return dump === undefined ? [] : [compareIptables(node, viewsOf(node), readRuleset(dump, 'iptables'))]
  })
  if (comparisons.length === 0) throw nothingOf(dumps, nodes)
  return comparisons
}

function ipvs({ nodes, viewsOf }: ComparisonInput, dumps: readonly Dump[]): FamilyComparison[] {
  const comparisons = nodes.flatMap(node => {
    const dump = readIpvsDump(dumps, node.family, familiesOf(nodes))
    if (dump === undefined) return []
    const comparison = compareIpvs(node, viewsOf(node), dump)
    return [{ ...comparison, notes: [...comparison.notes, ...notDumped(dump)] }]
  })
  if (comparisons.length === 0) throw nothingOf(dumps, nodes)
  return comparisons
}

function familiesOf(nodes: readonly NodeContext[]): Family[] {
  return nodes.map(({ family }) => family)
}

function twice(dumps: readonly Dump[], family: Family): DiagnosticsError {
  return new DiagnosticsError(
    dumps.map(({ file }) => ({
      severity: 'error',
      place: { file },
      summary: `several dumps hold the table of ${family}`,
      detail: 'Give one dump of each family.',
    })),
  )
}

function nothingOf(dumps: readonly Dump[], nodes: readonly NodeContext[]): DiagnosticsError {
  const names = familiesOf(nodes).join(' or ')
  return new DiagnosticsError(
    dumps.map(({ file }) => ({
      severity: 'error',
      place: { file },
      summary: `the dump is not about ${names}, which the comparison is for`,
      detail: 'Dump the other family (ip6tables-save is for IPv6), or choose it with --family.',
    })),
  )
}
