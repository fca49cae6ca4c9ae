import type { Change } from '../delta/change.ts'
import { IptablesState, printRestore, renderIptables } from '../iptables/index.ts'
import { Cluster } from '../model/cluster.ts'
import type { NodeContext } from '../model/types.ts'
import { viewsOf } from '../model/views.ts'
import type { Node, ServiceCIDR } from '../snapshot/types.ts'
import type { Candidate, Resident } from './candidate.ts'
import { ignore, nodeOf } from './compile.ts'

/** kube-proxy's iptables mode, loaded by either form of iptables: changed chains are written again, hubs in whole, as in kube-proxy's partial sync. */
export function iptablesCandidate(tool: 'iptables-legacy-restore' | 'iptables-nft-restore'): Candidate {
  return {
    name: tool,
    tool,
    compile(snapshot) {
      const node = nodeOf(snapshot)
      return renderIptables(node, viewsOf(snapshot, node, ignore))
    },
    resident: iptablesResident,
    loadCommand: file => `${tool} ${file}`,
    updateCommand: file => `${tool} --noflush ${file}`,
  }
}

function iptablesResident(): Resident {
  const cluster = new Cluster('ipv4', ignore)
  const state = new IptablesState(cluster)
  let node: NodeContext
  return {
    start(objects) {
      const nodes: Node[] = []
      const serviceCIDRs: ServiceCIDR[] = []
      for (const object of objects) {
        if (object.kind === 'Node') nodes.push(object)
        else if (object.kind === 'ServiceCIDR') serviceCIDRs.push(object)
        else take(cluster, { type: 'set', object })
      }
      node = nodeOf({ nodes, serviceCIDRs })
      state.commit(node)
    },
    text: () => renderIptables(node, state.views()),
    update(changes) {
      for (const change of changes) take(cluster, change)
      const { operations } = state.commit(node)
      return { script: printRestore(operations), operations: operations.length }
    },
  }
}

function take(cluster: Cluster, change: Change): void {
  if (change.type === 'set') {
    if (change.object.kind === 'Service') cluster.setService(change.object)
    else if (change.object.kind === 'EndpointSlice') cluster.setSlice(change.object)
  } else if (change.type === 'delete') {
    const { kind, namespace = 'default', name } = change
    if (kind === 'Service') cluster.deleteService(namespace, name)
    else if (kind === 'EndpointSlice') cluster.deleteSlice(namespace, name)
  }
}
