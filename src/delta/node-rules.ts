import { isDeepStrictEqual } from 'node:util'
import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import { Cluster } from '../model/cluster.ts'
import { nodeContexts } from '../model/node.ts'
import type { NodeContext } from '../model/types.ts'
import type { TableContents } from '../nft/contents.ts'
import type { Fragment } from '../nft/fragment.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { fullFragment } from '../nft/render.ts'
import type { HostFacts, KubeProxyConfiguration, Node, ServiceCIDR } from '../snapshot/types.ts'
import type { Change, KubernetesObject } from './change.ts'
import type { ServicePortChange } from './explain.ts'
import type { Operation } from './operation.ts'
import { RulesetState } from './ruleset-state.ts'

/** What brings one family's table from the last state to the new one. */
export interface Transaction {
  readonly family: Family
  readonly table: string
  /** In the order in which nft takes them as one transaction; empty: nothing to do. */
  readonly operations: readonly Operation[]
  /** The service ports of every service that was looked at, for explanations and comparisons. */
  readonly changes: readonly ServicePortChange[]
}

/** Our tables as they are in the kernel; a family without one has none. */
export type LiveTables = Readonly<Partial<Record<Family, TableContents>>>

export interface NodeRulesOptions {
  readonly layout: Layout
  readonly report: Report
  readonly configuration?: KubeProxyConfiguration | undefined
  readonly host?: HostFacts | undefined
  /** Name of the node; by default that of the configuration, the host or the only Node. */
  readonly nodeName?: string | undefined
  /** Only this family; by default every family that the node has. */
  readonly family?: Family | undefined
}

/**
 * The rules of one node, resident: takes changed, added and deleted objects and returns the transactions from the last rulesets to the new ones.
 * A change costs what it touches, whatever the size of the cluster; a change of the node or its configuration looks at every service.
 */
export class NodeRules {
  readonly #options: NodeRulesOptions
  readonly #clusters: Readonly<Record<Family, Cluster>>
  readonly #states = new Map<Family, RulesetState>()
  readonly #nodes = new Map<string, Node>()
  readonly #serviceCIDRs = new Map<string, ServiceCIDR>()
  #configuration: KubeProxyConfiguration | undefined
  #host: HostFacts | undefined
  #contexts: readonly NodeContext[] = []
  #stale = true

  constructor(options: NodeRulesOptions) {
    this.#options = options
    this.#clusters = { ipv4: new Cluster('ipv4', options.report), ipv6: new Cluster('ipv6', options.report) }
    this.#configuration = options.configuration
    this.#host = options.host
  }

  /**
   * Takes changes in order and returns a transaction for each family that has a table or had one. The first call makes the tables, or starts from
   * `live` ones: then their slots are kept and the transactions lead from what they hold, drift and all, to what the cluster asks for.
   * @throws DiagnosticsError when it is unclear which node is meant; nothing has happened to the rulesets then, and a later call can go on.
   */
  apply(changes: Iterable<Change>, live?: LiveTables): Transaction[] {
    for (const change of changes) this.#take(change)
    const contexts = this.#currentContexts()
    const transactions: Transaction[] = []
    const { table, tableComment } = this.#options.layout
    for (const context of contexts) {
      const { family } = context
      let state = this.#states.get(family)
      const operations: Operation[] = []
      const found = state === undefined ? live?.[family] : undefined
      if (state === undefined) {
        state = new RulesetState(this.#options.layout, this.#clusters[family])
        this.#states.set(family, state)
        if (found === undefined) operations.push({ verb: 'add', object: { kind: 'table', comment: tableComment }, origins: ['node'] })
      }
      const commit = found === undefined ? state.commit(context) : state.adopt(context, found)
      transactions.push({ family, table, operations: operations.concat(commit.operations), changes: commit.changes })
    }
    for (const family of this.#states.keys()) {
      if (contexts.some(context => context.family === family)) continue
      this.#states.delete(family)
      transactions.push({ family, table, operations: [{ verb: 'delete', object: { kind: 'table' }, origins: ['node'] }], changes: [] })
    }
    return transactions
  }

  /** The full rulesets as they are after the last transactions; in layouts that keep slots, with those slots. */
  fragments(): { readonly family: Family; readonly table: string; readonly fragment: Fragment }[] {
    const { layout } = this.#options
    return this.#contexts.flatMap(context => {
      const state = this.#states.get(context.family)
      return state === undefined
        ? []
        : [{ family: context.family, table: layout.table, fragment: fullFragment(layout, context, state.views()) }]
    })
  }

  #take(change: Change): void {
    switch (change.type) {
      case 'set':
        this.#set(change.object)
        return
      case 'delete':
        this.#delete(change.kind, change.namespace ?? 'default', change.name)
        return
      case 'configuration':
        this.#configuration = change.configuration
        break
      case 'host':
        this.#host = change.host
        break
    }
    this.#stale = true
  }

  #set(object: KubernetesObject): void {
    switch (object.kind) {
      case 'Service':
        for (const cluster of Object.values(this.#clusters)) cluster.setService(object)
        return
      case 'EndpointSlice':
        for (const cluster of Object.values(this.#clusters)) cluster.setSlice(object)
        return
      case 'Node':
        this.#nodes.set(object.metadata.name, object)
        break
      case 'ServiceCIDR':
        this.#serviceCIDRs.set(object.metadata.name, object)
        break
    }
    this.#stale = true
  }

  #delete(kind: KubernetesObject['kind'], namespace: string, name: string): void {
    switch (kind) {
      case 'Service':
        for (const cluster of Object.values(this.#clusters)) cluster.deleteService(namespace, name)
        return
      case 'EndpointSlice':
        for (const cluster of Object.values(this.#clusters)) cluster.deleteSlice(namespace, name)
        return
      case 'Node':
        this.#nodes.delete(name)
        break
      case 'ServiceCIDR':
        this.#serviceCIDRs.delete(name)
        break
    }
    this.#stale = true
  }

  /** The node in each family; the same objects as long as nothing about it changed, so that states need not look at every service. */
  #currentContexts(): readonly NodeContext[] {
    if (!this.#stale) return this.#contexts
    const { nodeName, report, family } = this.#options
    const nodes = [...this.#nodes.values()]
    const snapshot = { nodes, serviceCIDRs: [...this.#serviceCIDRs.values()], services: [], endpointSlices: [] }
    const fresh = nodeContexts({ snapshot, configuration: this.#configuration, host: this.#host, nodeName, report })
    this.#contexts = fresh
      .filter(context => family === undefined || context.family === family)
      .map(context => this.#contexts.find(known => isDeepStrictEqual(known, context)) ?? context)
    this.#stale = false
    return this.#contexts
  }
}
