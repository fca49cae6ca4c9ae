import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import type { NodeContext } from '../model/types.ts'
import { viewsOf } from '../model/views.ts'
import type { Snapshot } from '../snapshot/types.ts'
import type { AnyMode } from './modes/index.ts'
import type { NodeViews } from './modes/mode.ts'

/** The text for one tool in one family; `part` is the tool's file extension. */
export interface Part {
  readonly family: Family
  readonly part: string
  readonly text: string
}

/** The service ports of a snapshot on a node, in each of its families. */
export function familiesOf(snapshot: Snapshot, nodes: readonly NodeContext[], report: Report): NodeViews[] {
  return nodes.map(node => ({ node, views: viewsOf(snapshot, node, report) }))
}

export function renderParts(mode: AnyMode, families: readonly NodeViews[]): Part[] {
  return families.flatMap(({ node, views }) =>
    Object.entries(mode.render(node, views)).map(([part, text]) => ({ family: node.family, part, text })),
  )
}

/** The same as JSON, a file a family. */
export function renderJsonParts(mode: AnyMode, families: readonly NodeViews[]): Part[] {
  return families.map(each => ({ family: each.node.family, part: 'json', text: mode.json([each]) }))
}
