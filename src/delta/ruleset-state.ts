import type { Cluster } from '../model/cluster.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import { contentsOf, type TableContents } from '../nft/contents.ts'
import { Fragment } from '../nft/fragment.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { fullFragment } from '../nft/render.ts'
import { respell } from '../nft/respell.ts'
import { emitLive, liveView } from './adopt.ts'
import { Batch } from './batch.ts'
import type { ServicePortChange } from './explain.ts'
import type { Operation } from './operation.ts'
import { Owners } from './owners.ts'
import { Rendered } from './rendered.ts'
import type { Commit, ModeState } from './resident-rules.ts'
import { keepSlots } from './slots.ts'
import { DifferentPart, TableDifference } from './table-difference.ts'

/**
 * The rules of one node in one family, kept up to date: what is in the kernel now, as views, and what the cluster asks for. Old fragments are
 * made again from the old views when they are needed, so the state holds no rule text.
 */
export class RulesetState implements ModeState<Operation, TableContents> {
  readonly #layout: Layout
  readonly #cluster: Cluster
  #owners = new Owners()
  /** What the kernel has; in layouts that keep slots the lists are in slot order. */
  readonly #rendered = new Rendered()
  /** The node that the kernel's rules were made for; undefined before the first transaction. */
  #renderedNode: NodeContext | undefined
  /** The ruleset as a whole, when a commit had to make it; until the next one. */
  #whole: Fragment | undefined

  constructor(layout: Layout, cluster: Cluster) {
    this.#layout = layout
    this.#cluster = cluster
  }

  views(): Iterable<ServicePortView> {
    return this.#rendered.all()
  }

  remove(): Operation[] {
    return [{ verb: 'delete', object: { kind: 'table' }, origins: ['node'] }]
  }

  /**
   * What the services that changed since the last call mean for the kernel's rules; empty: nothing to do. The first call makes the table, or starts
   * from a `live` one; it and one with another node object than the last look at every service.
   */
  commit(node: NodeContext, live?: TableContents): Commit<Operation> {
    if (live !== undefined) return this.#adopt(node, live)
    this.#whole = undefined
    const batch = new Batch()
    const changes: ServicePortChange[] = []
    const before = this.#renderedNode
    let keys: Iterable<string> = this.#cluster.takeChanged()
    if (before !== node) {
      batch.change('node', before === undefined ? undefined : this.#base(before), this.#base(node))
      keys = new Set([...this.#cluster.keys(), ...this.#rendered.keys()])
    }
    const settle = this.#layout.keepsSlots ? keepSlots : undefined
    for (const key of keys) changes.push(...this.#rendered.take(key, this.#cluster.views(key, node), settle))
    for (const change of changes) batch.change(change, this.#fragment(change.before, before ?? node), this.#fragment(change.after, node))
    this.#renderedNode = node
    const operations = batch.finish(this.#owners)
    if (before === undefined) operations.unshift(this.#table())
    return { operations, changes }
  }

  /** The full ruleset as of the last commit. */
  fragment(): Fragment {
    return this.#whole ?? fullFragment(this.#layout, this.#renderedNode as NodeContext, this.views())
  }

  /**
   * Starts from a table that is in the kernel already: slots are taken over from it, and the operations lead from what it holds to what the cluster
   * asks for, whatever the difference is. Only what differs goes through a batch.
   */
  #adopt(node: NodeContext, live: TableContents): Commit<Operation> {
    this.#cluster.takeChanged()
    const changes = [...this.#cluster.keys()].flatMap(key => this.#takeLive(key, node, live))
    this.#renderedNode = node
    const whole = fullFragment(this.#layout, node, this.views())
    this.#whole = whole
    this.#owners = Owners.of(whole)
    const wanted = contentsOf(whole)
    const actual = respell(live, wanted)
    const difference = new TableDifference(actual, wanted)
    if (difference.isEmpty) return { operations: [], changes }
    const batch = new Batch()
    const before = new DifferentPart(this.#layout, difference)
    emitLive(actual, whole, before)
    batch.change('live', before, undefined)
    const base = new DifferentPart(this.#layout, difference)
    this.#layout.base(node, base)
    batch.change('node', undefined, base)
    let part = new DifferentPart(this.#layout, difference)
    for (const change of changes) {
      if (change.after === undefined) continue
      this.#layout.servicePort(change.after, node, part)
      if (part.isEmpty) continue
      batch.change(change, undefined, part)
      part = new DifferentPart(this.#layout, difference)
    }
    return { operations: batch.finish(Owners.of(before)), changes }
  }

  /** Takes a service over with the slots that the live table has it in. */
  #takeLive(key: string, node: NodeContext, live: TableContents): ServicePortChange[] {
    if (!this.#layout.keepsSlots) return this.#rendered.take(key, this.#cluster.views(key, node))
    const befores: (ServicePortView | undefined)[] = []
    const taken = this.#rendered.take(key, this.#cluster.views(key, node), (_, view) => {
      const before = liveView(view, live)
      befores.push(before)
      return before === view ? view : keepSlots(before, view)
    })
    return taken.map(({ after }, index) => ({ before: befores[index], after }))
  }

  #table(): Operation {
    return { verb: 'add', object: { kind: 'table', comment: this.#layout.tableComment }, origins: ['node'] }
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
