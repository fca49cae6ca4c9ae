import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'
import type { IPFamily } from '../snapshot/types.ts'
import { MAX_NODES, MAX_SERVICES } from './addresses.ts'

/**
 * Shares, from 0 to 1, of the services that have a feature. A share is of the services that can have it, which each line names, and is kept
 * exactly (rounded to whole services).
 */
export interface Mix {
  /** Of all services; the four together at most 1. The rest are of type ClusterIP. */
  readonly nodePort: number
  readonly loadBalancer: number
  readonly headless: number
  readonly externalName: number
  /** Of the NodePort and LoadBalancer services: externalTrafficPolicy Local. */
  readonly externalLocal: number
  /** Of the services with a cluster IP. */
  readonly internalLocal: number
  readonly externalIPs: number
  readonly sessionAffinity: number
  /** Of the LoadBalancer services: loadBalancerSourceRanges. */
  readonly sourceRanges: number
  /** Of all but ExternalName services: the protocol of the first port; together at most 1, the rest use TCP. */
  readonly udp: number
  readonly sctp: number
  /** Of all but ExternalName services: three ports in place of one. */
  readonly multiPort: number
  /** Of all but ExternalName services: both IP families. Above 0 makes the cluster a dual-stack one. */
  readonly dualStack: number
  /** Of all but ExternalName services: endpoints with zone hints. */
  readonly topologyHints: number
  /** Of all but ExternalName services: one more endpoint that terminates and still serves, as in a rollout. */
  readonly terminating: number
  /** Of all but ExternalName services: a slice without any endpoint. */
  readonly withoutEndpoints: number
}

export interface GenOptions extends Partial<Mix> {
  readonly services: number
  /** Ready endpoints of each service. */
  readonly endpoints: number
  /** Any whole number of 32 bits; 1 unless given. The same options give the same cluster. */
  readonly seed?: number
  /** Enough for 110 pods each (the kubelet's default limit) and at least 3 unless given. */
  readonly nodes?: number
  /** 3 unless given. */
  readonly zones?: number
  /** The family of single-stack services, and the first of dual-stack ones; IPv4 unless given. */
  readonly primaryFamily?: IPFamily
  /** Whether LoadBalancer services get node ports (spec.allocateLoadBalancerNodePorts); true unless given. */
  readonly loadBalancerNodePorts?: boolean
}

export type CompleteOptions = Required<GenOptions>

const NOTHING: Mix = {
  nodePort: 0,
  loadBalancer: 0,
  headless: 0,
  externalName: 0,
  externalLocal: 0,
  internalLocal: 0,
  externalIPs: 0,
  sessionAffinity: 0,
  sourceRanges: 0,
  udp: 0,
  sctp: 0,
  multiPort: 0,
  dualStack: 0,
  topologyHints: 0,
  terminating: 0,
  withoutEndpoints: 0,
}

/**
 * Mixes by name. `plain`: ClusterIP services with one TCP port, what speeds are compared on. `everything`: some of each feature, few enough NodePort and LoadBalancer
 * services for clusters of 16,000 services.
 */
export const MIXES = {
  plain: NOTHING,
  everything: {
    nodePort: 0.03,
    loadBalancer: 0.05,
    headless: 0.1,
    externalName: 0.02,
    externalLocal: 0.3,
    internalLocal: 0.03,
    externalIPs: 0.02,
    sessionAffinity: 0.03,
    sourceRanges: 0.4,
    udp: 0.08,
    sctp: 0.01,
    multiPort: 0.1,
    dualStack: 0.3,
    topologyHints: 0.15,
    terminating: 0.05,
    withoutEndpoints: 0.05,
  },
} as const satisfies Readonly<Record<string, Mix>>

/** Fills in defaults and checks each value. Throws a DiagnosticsError with every problem. Whether the addresses and ports suffice is another question: see `capacity.ts`. */
export function completeOptions(options: GenOptions): CompleteOptions {
  const problems: Diagnostic[] = []
  const wholeNumber = (name: string, value: number, min: number, max: number): void => {
    if (Number.isInteger(value) && value >= min && value <= max) return
    problems.push({ severity: 'error', summary: `${name} is ${value}`, detail: `It must be a whole number from ${min} to ${max}.` })
  }
  const { services, endpoints } = options
  const complete: CompleteOptions = {
    ...NOTHING,
    seed: 1,
    nodes: Math.min(MAX_NODES, Math.max(3, Math.ceil((services * endpoints) / 110))),
    zones: 3,
    primaryFamily: 'IPv4',
    loadBalancerNodePorts: true,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    services,
    endpoints,
  }
  wholeNumber('services', services, 0, MAX_SERVICES)
  wholeNumber('endpoints', endpoints, 0, 100_000)
  wholeNumber('seed', complete.seed, 0, 2 ** 32 - 1)
  wholeNumber('nodes', complete.nodes, 1, MAX_NODES)
  wholeNumber('zones', complete.zones, 1, 100)
  for (const name of Object.keys(NOTHING) as (keyof Mix)[]) {
    const share = complete[name]
    if (share >= 0 && share <= 1) continue
    problems.push({ severity: 'error', summary: `${name} is ${share}`, detail: 'It is a share of the services and must be from 0 to 1.' })
  }
  const together = (names: readonly (keyof Mix)[]): void => {
    const sum = names.reduce((total, name) => total + complete[name], 0)
    if (!(sum > 1 + 1e-9)) return
    problems.push({
      severity: 'error',
      summary: `${names.join(', ')} are ${sum} together`,
      detail: 'They exclude each other: make their sum at most 1.',
    })
  }
  together(['nodePort', 'loadBalancer', 'headless', 'externalName'])
  together(['udp', 'sctp'])
  if (problems.length > 0) throw new DiagnosticsError(problems)
  return complete
}
