import type { EndpointSlice, IPFamily } from '../snapshot/types.ts'
import { creationTimestamp, serviceName, suffix, uid } from './identity.ts'
import { type ClusterPlan, nodeName, zoneName } from './nodes.ts'
import type { ServicePlan } from './plan.ts'
import type { Typed } from './types.ts'

/** kube-controller-manager's default --max-endpoints-per-slice. */
const MAX_ENDPOINTS_PER_SLICE = 100

/** The slices of a service, at most 100 endpoints each; without endpoints one empty slice a family, as the EndpointSlice controller keeps. */
export function* endpointSliceObjects(plan: ServicePlan, cluster: ClusterPlan): Generator<Typed<EndpointSlice>, void, undefined> {
  const slices = Math.max(1, Math.ceil(plan.pods / MAX_ENDPOINTS_PER_SLICE))
  for (const family of plan.families) {
    for (let slice = 0; slice < slices; slice++) {
      const first = slice * MAX_ENDPOINTS_PER_SLICE
      yield sliceObject(plan, cluster, family, first, Math.min(plan.pods, first + MAX_ENDPOINTS_PER_SLICE))
    }
  }
}

/** The slice with the endpoints from `first` to before `end`. */
function sliceObject(plan: ServicePlan, cluster: ClusterPlan, family: IPFamily, first: number, end: number): Typed<EndpointSlice> {
  const { namespace, name } = serviceName(plan.service)
  const created = creationTimestamp(plan.service + 1)
  // Unique: from one service to the next the sum grows by one more than the pods.
  const number = (plan.firstPod + plan.service + first) * 2 + (family === 'IPv4' ? 0 : 1)
  const generateName = `${name}-`
  const object = {
    addressType: family,
    apiVersion: 'discovery.k8s.io/v1',
    endpoints: plan.pods === 0 ? null : Array.from({ length: end - first }, (_, i) => endpoint(plan, cluster, family, first + i)),
    kind: 'EndpointSlice' as const,
    metadata: {
      creationTimestamp: created,
      generateName,
      generation: 1,
      labels: {
        'app.kubernetes.io/name': name,
        'app.kubernetes.io/part-of': namespace,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': name,
        ...(plan.type === 'Headless' && { 'service.kubernetes.io/headless': '' }),
      },
      name: generateName + suffix(number),
      namespace,
      ownerReferences: [
        {
          apiVersion: 'v1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'Service',
          name,
          uid: uid(cluster.seed, 'Service', plan.service),
        },
      ],
      resourceVersion: String(2_000_000 + number),
      uid: uid(cluster.seed, 'EndpointSlice', number),
    },
    ports:
      plan.pods === 0
        ? null
        : plan.ports.map(port => ({ name: plan.ports.length > 1 ? port.name : '', port: port.targetPort, protocol: port.protocol })),
  }
  return object
}

function endpoint(plan: ServicePlan, { seed, zones, pods }: ClusterPlan, family: IPFamily, index: number) {
  const pod = plan.firstPod + index
  const node = pods.nodeOf(pod)
  const zone = zoneName(node, zones)
  const terminating = plan.terminating && index === plan.pods - 1
  const { namespace, name } = serviceName(plan.service)
  return {
    addresses: [pods.address(pod, family)],
    conditions: { ready: !terminating, serving: true, terminating },
    ...(plan.zoneHints && !terminating && { hints: { forZones: [{ name: zone }] } }),
    nodeName: nodeName(node),
    targetRef: { kind: 'Pod', name: `${name}-${suffix(pod)}`, namespace, uid: uid(seed, 'Pod', pod) },
    zone,
  }
}
