import type { Cluster } from '../model/cluster.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import type { TableContents } from '../nft/contents.ts'
import { Fragment } from '../nft/fragment.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { fullFragment } from '../nft/render.ts'
import { liveFragment, liveView } from './adopt.ts'
import { Batch } from './batch.ts'
import type { ServicePortChange } from './explain.ts'
import type { Operation } from './operation.ts'
import { Owners } from './owners.ts'
import { keepSlots } from './slots.ts'

/** What a commit found: the operations, and every service port that it looked at, changed or not. */
export interface Commit {
  readonly operations: readonly Operation[]
  readonly changes: readonly ServicePortChange[]
}

/**
 * The rules of one node in one family, kept up to date: what is in the kernel now, as views, and what the cluster asks for. Old fragments are
 * made again from the old views when they are needed, so the state holds no rule text.
 */
export class RulesetState {
  readonly #layout: Layout
  readonly #cluster: Cluster
  #owners = new Owners()
  /** What the kernel has, by service; in layouts that keep slots the lists are in slot order. */
  readonly #rendered = new Map<string, readonly ServicePortView[]>()
  /** The node that the kernel's rules were made for; undefined before the first transaction. */
  #renderedNode: NodeContext | undefined

  constructor(layout: Layout, cluster: Cluster) {
    this.#layout = layout
    this.#cluster = cluster
  }

  /** Views as the kernel has them after the last transaction, for a full render. */
  *views(): Generator<ServicePortView> {
    for (const views of this.#rendered.values()) yield* views
  }

  /**
   * What the services that changed since the last call mean for the kernel's rules; empty: nothing to do. The first call, and one with another
   * node object than the last, look at every service.
   */
  commit(node: NodeContext): Commit {
    const batch = new Batch()
    const changes: ServicePortChange[] = []
    const before = this.#renderedNode
    let keys: Iterable<string> = this.#cluster.takeChanged()
    if (before !== node) {
      batch.change('node', before === undefined ? undefined : this.#base(before), this.#base(node))
      keys = new Set([...this.#cluster.keys(), ...this.#rendered.keys()])
    }
    for (const key of keys) changes.push(...this.#commitService(key, node))
    for (const change of changes) batch.change(change, this.#fragment(change.before, before ?? node), this.#fragment(change.after, node))
    this.#renderedNode = node
    return { operations: batch.finish(this.#owners), changes }
  }

  /**
   * Starts from a table that is in the kernel already: slots are taken over from it, and the operations lead from what it holds to what the cluster
   * asks for, whatever the difference is. Comes in place of the first commit.
   */
  adopt(node: NodeContext, live: TableContents): Commit {
    this.#cluster.takeChanged()
    const changes: ServicePortChange[] = []
    for (const key of this.#cluster.keys()) {
      const views = this.#cluster.views(key, node).map(view => {
        const before = this.#layout.keepsSlots ? liveView(view, live) : undefined
        const after = before === undefined ? view : keepSlots(before, view)
        changes.push({ before, after })
        return after
      })
      this.#rendered.set(key, views)
    }
    this.#renderedNode = node
    const wanted = fullFragment(this.#layout, node, this.views())
    const before = liveFragment(this.#layout, live, wanted)
    this.#owners = Owners.of(before)
    const batch = new Batch()
    batch.change('live', before, undefined)
    batch.change('node', undefined, this.#base(node))
    for (const change of changes) batch.change(change, undefined, this.#fragment(change.after, node))
    return { operations: batch.finish(this.#owners), changes }
  }

  /** Takes a service's views over as rendered and returns what happened to each of its ports. */
  #commitService(key: string, node: NodeContext): ServicePortChange[] {
    const unmatched = new Map(this.#rendered.get(key)?.map(view => [portIdentity(view), view]))
    const changes = this.#cluster.views(key, node).map(view => {
      const identity = portIdentity(view)
      const before = unmatched.get(identity)
      unmatched.delete(identity)
      return { before, after: this.#layout.keepsSlots ? keepSlots(before, view) : view }
    })
    if (changes.length === 0) this.#rendered.delete(key)
    else
      this.#rendered.set(
        key,
        changes.map(({ after }) => after),
      )
    return [...changes, ...[...unmatched.values()].map(before => ({ before, after: undefined }))]
  }

  #fragment(view: ServicePortView | undefined, node: NodeContext): Fragment | undefined {
    if (view === undefined) return undefined
    const fragment = new Fragment(this.#layout)
    this.#layout.servicePort(view, node, fragment)
    return fragment
  }

  #base(node: NodeContext): Fragment {
    const fragment = new Fragment(this.#layout)
    this.#layout.base(node, fragment)
    return fragment
  }
}

/** A service port keeps its identity through changes of number and endpoints (kube-proxy's service port name and protocol). */
function portIdentity({ port }: ServicePortView): string {
  return `${port.portName}/${port.protocol}`
}
