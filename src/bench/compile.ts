import { nodeContexts } from '../model/index.ts'
import type { NodeContext } from '../model/types.ts'
import { viewsOf } from '../model/views.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { renderTable } from '../nft/render.ts'
import type { Snapshot } from '../snapshot/types.ts'
import { NODE_NAME } from './workload.ts'

/** The node of a workload, in its only family. */
export function nodeOf(snapshot: Pick<Snapshot, 'nodes' | 'serviceCIDRs'>): NodeContext {
  const [node] = nodeContexts({
    snapshot: { services: [], endpointSlices: [], ...snapshot },
    configuration: undefined,
    host: undefined,
    nodeName: NODE_NAME,
    report: ignore,
  })
  return node!
}

/** Objects in memory to the text that `nft -f` takes, as `render` does it. */
export function compileNft(layout: Layout, snapshot: Snapshot): string {
  const node = nodeOf(snapshot)
  return renderTable(layout, node, viewsOf(snapshot, node, ignore))
}

/** Generated objects give nothing to report that would matter to a measurement. */
export function ignore(): void {}
