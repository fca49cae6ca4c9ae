import type { Service } from '../snapshot/types.ts'
import { clusterIP, externalIP, loadBalancerIP } from './addresses.ts'
import { creationTimestamp, serviceName, uid } from './identity.ts'
import type { ClusterPlan } from './nodes.ts'
import type { ServicePlan } from './plan.ts'
import type { Typed } from './types.ts'

/** Ranges of documentation (RFC 5737, RFC 3849): clients that a load balancer lets in. */
const SOURCE_RANGES = { IPv4: ['192.0.2.0/24', '198.51.100.0/25'], IPv6: ['2001:db8:5::/48'] } as const

export function serviceObject(plan: ServicePlan, { seed }: ClusterPlan): Typed<Service> {
  const { service, families } = plan
  const { namespace, name } = serviceName(service)
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': namespace }
  const metadata = {
    ...(plan.zoneHints && { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } }),
    creationTimestamp: creationTimestamp(service + 1),
    labels,
    name,
    namespace,
    resourceVersion: String(100_000 + service),
    uid: uid(seed, 'Service', service),
  }
  const spec = plan.type === 'ExternalName' ? externalNameSpec(namespace, name) : specOf(plan, { 'app.kubernetes.io/name': name })
  const ingress = plan.loadBalancer
  const status = {
    loadBalancer:
      ingress === undefined ? {} : { ingress: families.map(family => ({ ip: loadBalancerIP(ingress, family), ipMode: 'VIP' as const })) },
  }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec, status }
}

function externalNameSpec(namespace: string, name: string) {
  return { externalName: `${name}.${namespace}.example.com`, sessionAffinity: 'None' as const, type: 'ExternalName' as const }
}

function specOf(plan: ServicePlan, selector: Readonly<Record<string, string>>): Service['spec'] {
  const { type, families, externalIP: external } = plan
  const exposed = type === 'NodePort' || type === 'LoadBalancer'
  const clusterIPs = type === 'Headless' ? ['None'] : families.map(family => clusterIP(plan.service, family))
  const spec = {
    ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: plan.ports[0]!.nodePort !== 0 }),
    clusterIP: clusterIPs[0]!,
    clusterIPs,
    ...(external !== undefined && { externalIPs: families.map(family => externalIP(external, family)) }),
    ...((exposed || external !== undefined) && { externalTrafficPolicy: plan.externalLocal ? ('Local' as const) : ('Cluster' as const) }),
    ...(plan.healthCheckNodePort !== 0 && { healthCheckNodePort: plan.healthCheckNodePort }),
    internalTrafficPolicy: plan.internalLocal ? ('Local' as const) : ('Cluster' as const),
    ipFamilies: families,
    ipFamilyPolicy: families.length === 2 ? 'RequireDualStack' : 'SingleStack',
    ...(plan.sourceRanges && { loadBalancerSourceRanges: families.flatMap(family => SOURCE_RANGES[family]) }),
    ports: plan.ports.map(({ name, nodePort, port, protocol, targetPort }) => ({
      ...(plan.ports.length > 1 && { name }),
      ...(nodePort !== 0 && { nodePort }),
      port,
      protocol,
      targetPort,
    })),
    selector,
    sessionAffinity: plan.sessionAffinity ? ('ClientIP' as const) : ('None' as const),
    ...(plan.sessionAffinity && { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } }),
    type: type === 'Headless' ? ('ClusterIP' as const) : type,
  }
  return spec as Service['spec']
}
