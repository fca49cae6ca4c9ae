import type { NodeContext, ServicePortView } from '../model/types.ts'
import { Fragment } from './fragment.ts'
import type { Layout } from './layouts/layout.ts'

/** A layout's full ruleset for a node: the base and the fragments of all service ports. */
export function fullFragment(layout: Layout, node: NodeContext, views: Iterable<ServicePortView>): Fragment {
  const fragment = new Fragment(layout)
  layout.base(node, fragment)
  for (const view of views) layout.servicePort(view, node, fragment)
  return fragment
}
