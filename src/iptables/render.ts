import type { NodeContext, ServicePortView } from '../model/types.ts'
import { emitBase } from './base.ts'
import { Fragment, type TableFragment } from './fragment.ts'
import { countedEndpoints, isLargeCluster } from './large-cluster.ts'
import type { Form } from './layout.ts'
import { printRuleset } from './print.ts'
import type { Chain, Ruleset, Table } from './ruleset.ts'
import { emitServicePort } from './service-port.ts'

/** Everything that the layout emits for a node. */
export function fullFragment(form: Form, views: Iterable<ServicePortView>): Fragment {
  const fragment = new Fragment()
  emitBase(form.node, fragment)
  for (const view of views) emitServicePort(view, form, fragment)
  return fragment
}

/** The rules of a node in one family: kube-proxy's `filter` and `nat` tables. */
export function iptablesRuleset(node: NodeContext, views: Iterable<ServicePortView>): Ruleset {
  const all = [...views]
  const { filter, nat } = fullFragment({ node, largeCluster: isLargeCluster(countedEndpoints(all)) }, all)
  return new Map([
    ['filter', tableOf(filter)],
    ['nat', tableOf(nat)],
  ])
}

/** The same as iptables-save text, in the spelling that kube-proxy gives to iptables-restore. */
export function renderIptables(node: NodeContext, views: Iterable<ServicePortView>): string {
  return printRuleset(iptablesRuleset(node, views))
}

/** Built-in chains, hubs and other chains, each in the order in which they were emitted. */
function tableOf({ builtins, hubs, chains, hubRules }: TableFragment): Table {
  const table = new Map<string, Chain>()
  for (const [name, rules] of builtins) table.set(name, { policy: '-', rules })
  for (const [name, last] of hubs) table.set(name, { policy: '-', rules: [...(hubRules.get(name) ?? []), ...last] })
  for (const [name, rules] of chains) table.set(name, { policy: '-', rules })
  return table
}
