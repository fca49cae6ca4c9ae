import type { NodeContext, ServicePortView } from '../model/types.ts'
import { emitBase } from './base.ts'
import { Fragment, type TableFragment } from './fragment.ts'
import { isLargeCluster } from './large-cluster.ts'
import { printRuleset } from './print.ts'
import type { Chain, Ruleset, Table } from './ruleset.ts'
import { emitServicePort } from './service-port.ts'

/** The rules of a node in one family: kube-proxy's `filter` and `nat` tables. */
export function iptablesRuleset(node: NodeContext, views: Iterable<ServicePortView>): Ruleset {
  const all = [...views]
  const form = { node, largeCluster: isLargeCluster(all) }
  const fragment = new Fragment()
  emitBase(node, fragment)
  for (const view of all) emitServicePort(view, form, fragment)
  return rulesetOf(fragment)
}

/** The same as iptables-save text, in the spelling that kube-proxy gives to iptables-restore. */
export function renderIptables(node: NodeContext, views: Iterable<ServicePortView>): string {
  return printRuleset(iptablesRuleset(node, views))
}

/** A full fragment as tables: built-in chains, hubs and other chains, each in the order in which they were emitted. */
function rulesetOf({ filter, nat }: Fragment): Ruleset {
  return new Map([
    ['filter', tableOf(filter)],
    ['nat', tableOf(nat)],
  ])
}

function tableOf({ builtins, hubs, chains, hubRules }: TableFragment): Table {
  const table = new Map<string, Chain>()
  for (const [name, rules] of builtins) table.set(name, { policy: '-', rules })
  for (const [name, last] of hubs) table.set(name, { policy: '-', rules: [...(hubRules.get(name) ?? []), ...last] })
  for (const [name, rules] of chains) table.set(name, { policy: '-', rules })
  return table
}
