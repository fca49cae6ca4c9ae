import type { IPFamily, Node, ServiceCIDR } from '../snapshot/types.ts'
import { nodeIP, type PodAddresses, SERVICE_CIDR } from './addresses.ts'
import { creationTimestamp, uid } from './identity.ts'
import type { Typed } from './types.ts'

export function nodeName(node: number): string {
  return `worker-${node + 1}`
}

export function zoneName(node: number, zones: number): string {
  return `zone-${(node % zones) + 1}`
}

/** What all objects need to know of the cluster. */
export interface ClusterPlan {
  readonly seed: number
  readonly zones: number
  /** The primary family first. */
  readonly families: readonly IPFamily[]
  readonly pods: PodAddresses
}

/** A Node as far as it matters here; what the kubelet reports besides (capacity, images, conditions) is left out. */
export function nodeObject(node: number, { seed, zones, families, pods }: ClusterPlan): Typed<Node> {
  const name = nodeName(node)
  const podCIDRs = families.map(family => pods.podCIDR(node, family))
  const object = {
    apiVersion: 'v1',
    kind: 'Node' as const,
    metadata: {
      creationTimestamp: creationTimestamp(0),
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'region-1',
        'topology.kubernetes.io/zone': zoneName(node, zones),
      },
      name,
      resourceVersion: String(1000 + node),
      uid: uid(seed, 'Node', node),
    },
    spec: { podCIDR: podCIDRs[0]!, podCIDRs },
    status: {
      addresses: [...families.map(family => ({ address: nodeIP(node, family), type: 'InternalIP' })), { address: name, type: 'Hostname' }],
    },
  }
  return object
}

export function serviceCIDRObject({ seed, families }: ClusterPlan): Typed<ServiceCIDR> {
  const object = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR' as const,
    metadata: {
      creationTimestamp: creationTimestamp(0),
      finalizers: ['networking.k8s.io/service-cidr-finalizer'],
      name: 'kubernetes',
      resourceVersion: '7',
      uid: uid(seed, 'ServiceCIDR', 0),
    },
    spec: { cidrs: families.map(family => SERVICE_CIDR[family]) },
    status: {
      conditions: [
        {
          lastTransitionTime: creationTimestamp(0),
          message: 'Kubernetes Service CIDR is ready',
          reason: '',
          status: 'True',
          type: 'Ready',
        },
      ],
    },
  }
  return object
}
