import { isDeepStrictEqual } from 'node:util'
import type { Family } from '../address.ts'
import type { Report } from '../diagnostics.ts'
import { Cluster } from '../model/cluster.ts'
import { nodeContexts } from '../model/node.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import type { HostFacts, KubeProxyConfiguration, Node, ServiceCIDR } from '../snapshot/types.ts'
import type { Change, KubernetesObject } from './change.ts'
import type { ServicePortChange } from './explain.ts'

/** What a commit found: the operations, and every service port that it looked at, changed or not. */
export interface Commit<Operation> {
  readonly operations: readonly Operation[]
  readonly changes: readonly ServicePortChange[]
}

/** The rules of one mode in one family, kept up to date. `Live` is what it can start from. */
export interface ModeState<Operation, Live> {
  /** What the changed services mean for the rules; another node object than at the last call makes it look at every service. */
  commit(node: NodeContext, live?: Live): Commit<Operation>
  /** What takes everything away again, when the node has the family no more. The state is not used after that. */
  remove(): readonly Operation[]
  /** Every service port as of the last commit, sorted by service, for a full render. */
  views(): Iterable<ServicePortView>
}

/** The commit of one family. */
export interface FamilyCommit<Operation> extends Commit<Operation> {
  readonly family: Family
}

export interface ResidentOptions {
  readonly report: Report
  readonly configuration?: KubeProxyConfiguration | undefined
  readonly host?: HostFacts | undefined
  /** Name of the node; by default that of the configuration, the host or the only Node. */
  readonly nodeName?: string | undefined
  /** Only this family; by default every family that the node has. */
  readonly family?: Family | undefined
}

/**
 * The rules of one node in one mode, resident: takes changed, added and deleted objects and returns, for each family, what leads from the last
 * rules to the new ones. A change costs what it touches, whatever the size of the cluster; a change of the node or its configuration looks at
 * every service.
 */
export class ResidentRules<Operation, Live = never, State extends ModeState<Operation, Live> = ModeState<Operation, Live>> {
  readonly #options: ResidentOptions
  readonly #create: (cluster: Cluster) => State
  readonly #clusters: Readonly<Record<Family, Cluster>>
  readonly #states = new Map<Family, State>()
  readonly #nodes = new Map<string, Node>()
  readonly #serviceCIDRs = new Map<string, ServiceCIDR>()
  #configuration: KubeProxyConfiguration | undefined
  #host: HostFacts | undefined
  #contexts: readonly NodeContext[] = []
  #stale = true

  constructor(options: ResidentOptions, create: (cluster: Cluster) => State) {
    this.#options = options
    this.#create = create
    this.#clusters = { ipv4: new Cluster('ipv4', options.report), ipv6: new Cluster('ipv6', options.report) }
    this.#configuration = options.configuration
    this.#host = options.host
  }

  /**
   * Takes changes in order and returns a commit for each family that has rules or had some. The first call makes the rules, or starts from `live` ones.
   * @throws DiagnosticsError when it is unclear which node is meant; nothing has happened to the rules then, and a later call can go on.
   */
  commit(changes: Iterable<Change>, live?: Readonly<Partial<Record<Family, Live>>>): FamilyCommit<Operation>[] {
    this.take(changes)
    const contexts = this.#currentContexts()
    const commits: FamilyCommit<Operation>[] = []
    for (const context of contexts) {
      const { family } = context
      const known = this.#states.get(family)
      const state = known ?? this.#create(this.#clusters[family])
      this.#states.set(family, state)
      commits.push({ family, ...state.commit(context, known === undefined ? live?.[family] : undefined) })
    }
    for (const [family, state] of this.#states) {
      if (contexts.some(context => context.family === family)) continue
      this.#states.delete(family)
      commits.push({ family, operations: state.remove(), changes: [] })
    }
    return commits
  }

  /** The node in each family and its rules, as of the last commit. */
  states(): { readonly node: NodeContext; readonly state: State }[] {
    return this.#contexts.flatMap(node => {
      const state = this.#states.get(node.family)
      return state === undefined ? [] : [{ node, state }]
    })
  }

  /** Takes changes that the next commit is to have: the part of its work that needs nothing live. */
  take(changes: Iterable<Change>): void {
    for (const change of changes) this.#take(change)
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
    const snapshot = { nodes: [...this.#nodes.values()], serviceCIDRs: [...this.#serviceCIDRs.values()], services: [], endpointSlices: [] }
    const fresh = nodeContexts({ snapshot, configuration: this.#configuration, host: this.#host, nodeName, family, report })
    this.#contexts = fresh.map(context => this.#contexts.find(known => isDeepStrictEqual(known, context)) ?? context)
    this.#stale = false
    return this.#contexts
  }
}
