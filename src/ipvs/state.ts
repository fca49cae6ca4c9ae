import type { ServicePortChange } from '../delta/explain.ts'
import type { Origin } from '../delta/operation.ts'
import { Rendered } from '../delta/rendered.ts'
import type { Commit, ModeState } from '../delta/resident-rules.ts'
import type { Ruleset } from '../iptables/ruleset.ts'
import type { Cluster } from '../model/cluster.ts'
import type { NodeContext, ServicePortView } from '../model/types.ts'
import { IpvsBatch } from './batch.ts'
import { IpvsFragment } from './fragment.ts'
import { iptablesRules } from './iptables.ts'
import { type IpvsNode, ipvsNode } from './node.ts'
import { type IpvsObject, type IpvsOperation, IpvsPhases } from './operation.ts'
import { changeRules } from './rules-delta.ts'
import { deleteServer } from './server-delta.ts'
import { isExcluded, ServersState } from './servers-state.ts'
import { addServicePort } from './service-port.ts'
import { SET_NAMES, SETS, type SetName, setName, setOptions } from './sets.ts'
import { SharedState } from './shared-state.ts'

/**
 * What IPVS mode has on one node in one family, kept up to date. Old fragments are made again from the old views when they are needed, so the
 * state holds views, and the counts of things that several service ports can own, but no commands.
 */
export class IpvsState implements ModeState<IpvsOperation, never> {
  readonly #cluster: Cluster
  readonly #servers = new ServersState()
  readonly #shared = new SharedState()
  readonly #rendered = new Rendered()
  /** What the last operations were made for, and the rules that they led to; undefined before the first commit. */
  #last: { readonly ipvs: IpvsNode; readonly rules: Ruleset } | undefined

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  views(): Iterable<ServicePortView> {
    return this.#rendered.all()
  }

  /**
   * What the services that changed since the last call mean for the node; empty: nothing to do. The first call makes everything; one with another
   * node object than the last looks at every service.
   */
  commit(node: NodeContext): Commit<IpvsOperation> {
    const last = this.#last
    const ipvs = last?.ipvs.node === node ? last.ipvs : ipvsNode(node)
    let keys: Iterable<string> = this.#cluster.takeChanged()
    if (last?.ipvs !== ipvs) keys = new Set([...this.#cluster.keys(), ...this.#rendered.keys()])
    const changes: ServicePortChange[] = []
    for (const key of keys) changes.push(...this.#rendered.take(key, this.#cluster.views(key, node)))

    const batch = new IpvsBatch()
    for (const change of changes) batch.change(change, fragmentOf(change.before, last?.ipvs ?? ipvs), fragmentOf(change.after, ipvs))
    const phases = new IpvsPhases()
    if (last === undefined) {
      phases.create.push({ verb: 'add', object: { kind: 'interface' }, origins: ['node'] })
      for (const name of SET_NAMES) phases.create.push({ verb: 'add', object: setObject(name, node), origins: ['node'] })
    }
    this.#servers.settle(batch, { ipvs, views: this.views(), changed: new Set(changes.map(({ after }) => after)) }, phases)
    const turned = this.#shared.settle(batch, node.family, phases)
    this.#settleRules(ipvs, turned, phases)
    return { operations: phases.inOrder(), changes }
  }

  /**
   * What takes everything away again, when the node has no address of the family any more. The interface stays: the other family has addresses
   * there. The state is not used after that.
   */
  remove(): IpvsOperation[] {
    if (this.#last === undefined) return []
    const { ipvs, rules } = this.#last
    const origins = ['node'] as const
    const phases = new IpvsPhases()
    for (const operation of changeRules(rules, undefined, () => origins)) phases.rules.push({ verb: 'restore', operation, origins })
    for (const address of this.#shared.addresses())
      phases.deleteAddresses.push({ verb: 'delete', object: { kind: 'address', address }, origins })
    const fragment = new IpvsFragment()
    for (const view of this.views()) addServicePort(view, ipvs, fragment)
    for (const [service, server] of fragment.virtualServers)
      if (!isExcluded(service, ipvs.node)) phases.deleteServers.push(deleteServer(service, server, origins))
    for (const name of SET_NAMES) phases.destroy.push({ verb: 'delete', object: setObject(name, ipvs.node), origins })
    return phases.inOrder()
  }

  /** Rules change with the node, and with sets that get their first entry or lose their last. */
  #settleRules(ipvs: IpvsNode, turned: ReadonlyMap<SetName, readonly Origin[]>, phases: IpvsPhases): void {
    const last = this.#last
    const { node } = ipvs
    if (last?.ipvs === ipvs && turned.size === 0) return
    const rules = iptablesRules(node, { isEmpty: this.#shared.isEmpty, outFilter: [] })
    this.#last = { ipvs, rules }
    const originsOf = (changed: readonly string[]): Origin[] => {
      const origins = new Set<Origin>(last?.ipvs === ipvs ? [] : ['node'])
      for (const [set, reasons] of turned) {
        const match = `--match-set ${setName(set, node.family)} `
        if (changed.some(rule => rule.includes(match))) for (const reason of reasons) origins.add(reason)
      }
      return [...origins]
    }
    const own = [...changeRules(last?.rules, rules, originsOf)]
    phases.rules.unshift(...own.map(operation => ({ verb: 'restore', operation, origins: operation.origins }) as const))
  }
}

function fragmentOf(view: ServicePortView | undefined, ipvs: IpvsNode): IpvsFragment | undefined {
  if (view === undefined) return undefined
  const fragment = new IpvsFragment()
  addServicePort(view, ipvs, fragment)
  return fragment
}

function setObject(name: SetName, { family }: NodeContext): IpvsObject {
  return { kind: 'set', name: setName(name, family), type: SETS[name].type, options: setOptions(SETS[name], family) }
}
