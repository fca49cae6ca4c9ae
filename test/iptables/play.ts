import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../src/delta/change.ts'
import type { Commit } from '../../src/delta/resident-rules.ts'
import { type IptablesOperation, IptablesState, iptablesRuleset, type Ruleset } from '../../src/iptables/index.ts'
import { Cluster } from '../../src/model/cluster.ts'
import { nodeContexts } from '../../src/model/node.ts'
import type { NodeContext } from '../../src/model/types.ts'
import { viewsOf } from '../../src/model/views.ts'
import type { HostFacts, KubeProxyConfiguration, Node, Snapshot } from '../../src/snapshot/types.ts'

export interface History {
  readonly node: Node
  readonly configuration: KubeProxyConfiguration
  readonly host: HostFacts
  readonly rounds: readonly (readonly Change[])[]
}

/** A state after a round: what it found to do, and the render of the whole from the objects as they are then. */
export interface Step extends Commit<IptablesOperation> {
  readonly full: Ruleset
  readonly state: IptablesState
}

/** Plays a history in one family, a commit a round, the first of them with the node alone. */
export function play(history: History, family: 'ipv4' | 'ipv6'): Step[] {
  const cluster = new Cluster(family, () => {})
  const state = new IptablesState(cluster)
  const objects = new Map<string, Extract<Change, { type: 'set' }>['object']>()
  let { configuration } = history as { configuration: KubeProxyConfiguration | undefined }
  let context: NodeContext | undefined

  const take = (change: Change): void => {
    if (change.type === 'configuration') configuration = change.configuration
    else if (change.type === 'set') {
      const { kind, metadata } = change.object
      objects.set(`${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`, change.object)
      if (change.object.kind === 'Service') cluster.setService(change.object)
      if (change.object.kind === 'EndpointSlice') cluster.setSlice(change.object)
    } else if (change.type === 'delete') {
      const { kind, namespace = 'default', name } = change
      objects.delete(`${kind} ${namespace}/${name}`)
      if (kind === 'Service') cluster.deleteService(namespace, name)
      if (kind === 'EndpointSlice') cluster.deleteSlice(namespace, name)
    }
  }

  return [[{ type: 'set', object: history.node } satisfies Change], ...history.rounds].map(round => {
    for (const change of round) take(change)
    const of = <T>(kind: string): T[] => [...objects.values()].filter(object => object.kind === kind) as T[]
    const snapshot: Snapshot = {
      nodes: of('Node'),
      serviceCIDRs: of('ServiceCIDR'),
      services: of('Service'),
      endpointSlices: of('EndpointSlice'),
    }
    const report = (): void => undefined
    const fresh = nodeContexts({ snapshot, configuration, host: history.host, nodeName: undefined, report }).find(
      found => found.family === family,
    )
    if (fresh === undefined) throw new Error('the host has both families')
    context = context !== undefined && isDeepStrictEqual(context, fresh) ? context : fresh
    return { ...state.commit(context), full: iptablesRuleset(context, viewsOf(snapshot, context, report)), state }
  })
}
