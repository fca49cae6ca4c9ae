import type { Change } from '../delta/change.ts'
import type { EndpointSlice } from '../snapshot/types.ts'
import type { ServiceObjects, Workload } from './workload.ts'

/** One change of the cluster, and what takes it back. */
export interface Update {
  readonly changes: readonly Change[]
  readonly undo: readonly Change[]
}

/** Endpoints that a rollout replaces. */
const ROLLOUT_ENDPOINTS = 100
/** A lost node takes every hundredth endpoint with it. */
const NODE_LOSS_SHARE = 100
/** Coprime with most sizes: updates that follow each other touch services that are far apart. */
const STRIDE = 7919

/** The kinds of updates, each as its n-th instance in a cluster; each leaves the cluster as it was once it is undone. */
export const UPDATES = {
  endpointReplaced: (workload, n) => changeFirstSlice(pick(workload, n), ([, ...others]) => [fresh(n), ...others]),
  endpointAdded: (workload, n) => changeFirstSlice(pick(workload, n), endpoints => [...endpoints, fresh(n)]),
  serviceAdded({ spare }, n) {
    const service = spare[n % spare.length]!
    return { changes: set(service), undo: remove(service) }
  },
  serviceRemoved(workload, n) {
    const service = pick(workload, n)
    return { changes: remove(service), undo: set(service) }
  },
  rollout(workload, n) {
    const services = Math.min(workload.services.length, Math.ceil(ROLLOUT_ENDPOINTS / Math.max(1, workload.size.endpoints)))
    let left = ROLLOUT_ENDPOINTS
    return changeSlices(
      Array.from({ length: services }, (_, i) => workload.services[(n * services + i) % workload.services.length]!),
      endpoints => endpoints.map(endpoint => (left-- > 0 ? fresh(n * ROLLOUT_ENDPOINTS + left) : endpoint)),
    )
  },
  nodeLoss({ services, size }, n) {
    const share = Math.max(1, Math.min(NODE_LOSS_SHARE, services.length * size.endpoints))
    let number = 0
    return changeSlices(services, endpoints => {
      const kept = endpoints.filter(() => number++ % share !== n % share)
      return kept.length === endpoints.length ? endpoints : kept
    })
  },
} satisfies Readonly<Record<string, (workload: Workload, n: number) => Update>>

export type UpdateName = keyof typeof UPDATES
export const UPDATE_NAMES = Object.keys(UPDATES) as UpdateName[]

type Endpoints = NonNullable<EndpointSlice['endpoints']>

function pick({ services }: Workload, n: number): ServiceObjects {
  return services[(n * STRIDE) % services.length]!
}

/** A new pod on another node. Its address is in 100.64.0.0/10 (RFC 6598), which no generated pod has. */
function fresh(n: number): Endpoints[number] {
  const host = n % 2 ** 22
  return {
    addresses: [`100.${64 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: 'worker-2',
    zone: 'zone-2',
  }
}

function changeFirstSlice({ slices }: ServiceObjects, change: (endpoints: Endpoints) => Endpoints): Update {
  const slice = slices[0]!
  return {
    changes: [{ type: 'set', object: { ...slice, endpoints: change(slice.endpoints ?? []) } }],
    undo: [{ type: 'set', object: slice }],
  }
}

/** Changes slices; those whose list comes back as it was are left alone. */
function changeSlices(services: Iterable<ServiceObjects>, change: (endpoints: Endpoints) => Endpoints): Update {
  const changes: Change[] = []
  const undo: Change[] = []
  for (const { slices } of services) {
    for (const slice of slices) {
      const before = slice.endpoints ?? []
      const endpoints = change(before)
      if (endpoints === before) continue
      changes.push({ type: 'set', object: { ...slice, endpoints } })
      undo.push({ type: 'set', object: slice })
    }
  }
  return { changes, undo }
}

function set({ service, slices }: ServiceObjects): Change[] {
  return [service, ...slices].map(object => ({ type: 'set', object }))
}

function remove({ service, slices }: ServiceObjects): Change[] {
  return [service, ...slices].map(({ kind, metadata }) => ({
    type: 'delete',
    kind,
    name: metadata.name,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  }))
}
