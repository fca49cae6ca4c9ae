import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'
import { MAX_EXTERNAL_ADDRESSES, PodAddresses } from './addresses.ts'
import type { CompleteOptions } from './options.ts'
import { NODE_PORTS, planServices, podsOf } from './plan.ts'

const NODE_PORT_COUNT = NODE_PORTS.last - NODE_PORTS.first + 1

/** Refuses a cluster that needs more addresses or node ports than there are, before the first object is out. Throws a DiagnosticsError. */
export function checkCapacity(options: CompleteOptions): void {
  const problems: Diagnostic[] = []
  const refuse = (summary: string, detail: string): void => {
    problems.push({ severity: 'error', summary, detail })
  }
  const pods = podsOf(options)
  if (!new PodAddresses(options.nodes, pods).fit) {
    refuse(`${pods} pods on ${options.nodes} nodes do not fit into 10.128.0.0/9`, 'Ask for fewer endpoints or nodes.')
  }
  const { nodePorts, loadBalancers, externalIPs } = demand(options)
  if (nodePorts > NODE_PORT_COUNT) {
    refuse(
      `the services need ${nodePorts} node ports, and ${NODE_PORTS.first}-${NODE_PORTS.last} has ${NODE_PORT_COUNT}`,
      'Ask for fewer services of type NodePort and LoadBalancer (with external policy Local these need one more, for health checks), or turn node ports of load balancers off.',
    )
  }
  if (Math.max(loadBalancers, externalIPs) > MAX_EXTERNAL_ADDRESSES) {
    refuse(`${loadBalancers} load balancers and ${externalIPs} external IPs`, `There are ${MAX_EXTERNAL_ADDRESSES} addresses for each.`)
  }
  if (problems.length > 0) throw new DiagnosticsError(problems)
}

function demand(options: CompleteOptions) {
  const total = { nodePorts: 0, loadBalancers: 0, externalIPs: 0 }
  for (const plan of planServices(options)) {
    total.nodePorts += plan.ports.filter(({ nodePort }) => nodePort !== 0).length + (plan.healthCheckNodePort === 0 ? 0 : 1)
    if (plan.loadBalancer !== undefined) total.loadBalancers++
    if (plan.externalIP !== undefined) total.externalIPs++
  }
  return total
}
