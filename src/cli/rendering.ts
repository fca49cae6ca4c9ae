import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import { renderIptables } from '../iptables/index.ts'
import { renderIpvs } from '../ipvs/index.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import { viewsOf } from '../model/views.ts'
import { LAYOUTS, type LayoutName } from '../nft/layouts/index.ts'
import { printTable } from '../nft/print.ts'
import { fullFragment } from '../nft/render.ts'
import type { Snapshot } from '../snapshot/types.ts'

export type Mode = 'nftables' | 'iptables' | 'ipvs'

/** The text for one tool in one family; `part` is the tool's file extension. */
export interface Part {
  readonly family: Family
  readonly part: string
  readonly text: string
}

type Renderer = (node: NodeContext, views: Iterable<ServicePortView>, layout: LayoutName) => Readonly<Record<string, string>>

/** What each mode prints for one family, by part. */
const RENDERERS: Readonly<Record<Mode, Renderer>> = {
  nftables(node, views, layoutName) {
    const layout = LAYOUTS[layoutName]
    return { nft: printTable(fullFragment(layout, node, views), { family: node.family, table: layout.table }, layout.tableComment) }
  },
  iptables: (node, views) => ({ iptables: renderIptables(node, views) }),
  ipvs: (node, views) => ({ ...renderIpvs(node, views) }),
}

/** Renders a snapshot for a node in each of its families. */
export function renderParts(mode: Mode, layout: LayoutName, snapshot: Snapshot, nodes: readonly NodeContext[], report: Report): Part[] {
  return nodes.flatMap(node =>
    Object.entries(RENDERERS[mode](node, viewsOf(snapshot, node, report), layout)).map(([part, text]) => ({
      family: node.family,
      part,
      text,
    })),
  )
}
