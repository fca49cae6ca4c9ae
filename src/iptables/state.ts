import type { ServicePortChange } from '../delta/explain.ts'
import { Rendered } from '../delta/rendered.ts'
import type { Commit, ModeState } from '../delta/resident-rules.ts'
import type { Cluster } from '../model/cluster.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import { emitBase } from './base.ts'
import { Delta } from './delta.ts'
import { Fragment } from './fragment.ts'
import { Hubs } from './hubs.ts'
import { countedEndpoints, isLargeCluster } from './large-cluster.ts'
import { type Form, TABLES } from './layout.ts'
import type { IptablesOperation } from './operation.ts'
import { fullFragment } from './render.ts'
import { emitServicePort } from './service-port.ts'

/**
 * The iptables rules of one node in one family, kept up to date. A change of endpoints writes the chains of that service port; only one that touches
 * a hub, such as a new service or the first endpoint of one, costs what the hub holds.
 */
export class IptablesState implements ModeState<IptablesOperation, never> {
  readonly #cluster: Cluster
  readonly #hubs = new Hubs()
  readonly #rendered = new Rendered()
  #endpoints = 0
  /** What the last rules were made for; undefined before the first. */
  #form: Form | undefined

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  views(): Iterable<ServicePortView> {
    return this.#rendered.all()
  }

  /**
   * What the services that changed since the last call mean for the rules; empty: nothing to do. The first call makes all rules; one with another
   * node object than the last, and one with which the cluster becomes large or stops to be, look at every service.
   */
  commit(node: NodeContext): Commit<IptablesOperation> {
    const before = this.#form
    const delta = new Delta()
    let keys = new Set(this.#cluster.takeChanged())
    if (before?.node !== node) {
      const base = baseOf(node)
      delta.change('node', before === undefined ? undefined : baseOf(before.node), base)
      this.#hubs.setBase('filter', base.filter)
      this.#hubs.setBase('nat', base.nat)
      keys = new Set([...this.#cluster.keys(), ...this.#rendered.keys()])
    }
    const services = new Map([...keys].map(key => [key, this.#takeOver(key, node)]))
    const after = { node, largeCluster: isLargeCluster(this.#endpoints) }
    if (before !== undefined && before.largeCluster !== after.largeCluster)
      for (const key of this.#rendered.keys()) if (!services.has(key)) services.set(key, this.#rendered.take(key, this.#rendered.of(key)))
    this.#form = after

    for (const [key, changes] of services) {
      const fragments = changes.map(change => ({
        origin: change,
        before: fragmentOf(change.before, before ?? after),
        after: fragmentOf(change.after, after),
      }))
      for (const fragment of fragments) delta.change(fragment.origin, fragment.before, fragment.after)
      this.#hubs.setService(key, fragments)
    }
    return { operations: [...delta.operations(), ...this.#hubs.takeChanged()], changes: [...services.values()].flat() }
  }

  remove(): IptablesOperation[] {
    if (this.#form === undefined) return []
    const fragment = fullFragment(this.#form, this.views())
    return TABLES.flatMap(table => {
      const { builtins, hubs, chains } = fragment[table]
      const step = { table, origins: ['node'] } as const
      return [
        ...[...builtins].map(([chain, rules]) => ({ ...step, verb: 'remove', chain, rules }) as const),
        ...[...hubs.keys(), ...chains.keys()].map(chain => ({ ...step, verb: 'delete', chain, rules: [] }) as const),
      ]
    })
  }

  /** Takes a service's views over as rendered and returns what happened to each of its ports. */
  #takeOver(key: string, node: NodeContext): ServicePortChange[] {
    const old = this.#rendered.of(key)
    const changes = this.#rendered.take(key, this.#cluster.views(key, node))
    this.#endpoints += countedEndpoints(this.#rendered.of(key)) - countedEndpoints(old)
    return changes
  }
}

function baseOf(node: NodeContext): Fragment {
  const fragment = new Fragment()
  emitBase(node, fragment)
  return fragment
}

function fragmentOf(view: ServicePortView | undefined, form: Form): Fragment | undefined {
  if (view === undefined) return undefined
  const fragment = new Fragment()
  emitServicePort(view, form, fragment)
  return fragment
}
