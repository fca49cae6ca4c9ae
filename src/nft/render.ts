import type { NodeContext, ServicePortView } from '../model/types.ts'
import { Fragment } from './fragment.ts'
import type { Layout, Sink } from './layouts/layout.ts'
import { TableText } from './table-text.ts'

/** A layout's full ruleset for a node: the base and the fragments of all service ports. */
export function fullFragment(layout: Layout, node: NodeContext, views: Iterable<ServicePortView>): Fragment {
  const fragment = new Fragment(layout)
  emitAll(layout, node, views, fragment)
  return fragment
}

/** The same as an nft script. */
export function renderTable(layout: Layout, node: NodeContext, views: Iterable<ServicePortView>): string {
  const text = new TableText()
  emitAll(layout, node, views, text)
  return text.print({ family: node.family, table: layout.table }, layout.tableComment)
}

function emitAll(layout: Layout, node: NodeContext, views: Iterable<ServicePortView>, sink: Sink): void {
  layout.base(node, sink)
  for (const view of views) layout.servicePort(view, node, sink)
}
