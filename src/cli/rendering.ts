import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import type { NodeContext } from '../model/types.ts'
import { viewsOf } from '../model/views.ts'
import type { Snapshot } from '../snapshot/types.ts'
import type { AnyMode } from './modes/index.ts'

/** The text for one tool in one family; `part` is the tool's file extension. */
export interface Part {
  readonly family: Family
  readonly part: string
  readonly text: string
}

/** Renders a snapshot for a node in each of its families. */
export function renderParts(mode: AnyMode, snapshot: Snapshot, nodes: readonly NodeContext[], report: Report): Part[] {
  return nodes.flatMap(node =>
    Object.entries(mode.render(node, viewsOf(snapshot, node, report))).map(([part, text]) => ({ family: node.family, part, text })),
  )
}
