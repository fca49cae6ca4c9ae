import type { Family } from '../address.ts'
import type { Options } from './contents.ts'

/** What kube-proxy 1.36 knows of one of its sets. The comment goes into the rules that match the set. */
export interface SetDefinition {
  readonly type: 'hash:ip' | 'hash:ip,port' | 'hash:ip,port,ip' | 'hash:ip,port,net' | 'bitmap:port'
  readonly comment: string
}

/** kube-proxy 1.36's sets, by their IPv4 names. All of them exist at all times, empty or not. */
export const SETS = {
  'KUBE-CLUSTER-IP': { type: 'hash:ip,port', comment: 'Kubernetes service cluster ip + port for masquerade purpose' },
  'KUBE-EXTERNAL-IP': { type: 'hash:ip,port', comment: 'Kubernetes service external ip + port for masquerade and filter purpose' },
  'KUBE-EXTERNAL-IP-LOCAL': { type: 'hash:ip,port', comment: 'Kubernetes service external ip + port with externalTrafficPolicy=local' },
  'KUBE-HEALTH-CHECK-NODE-PORT': { type: 'bitmap:port', comment: 'Kubernetes health check node port' },
  'KUBE-IPVS-IPS': { type: 'hash:ip', comment: 'Addresses on kube-ipvs0' },
  'KUBE-LOAD-BALANCER': { type: 'hash:ip,port', comment: 'Kubernetes service lb portal' },
  'KUBE-LOAD-BALANCER-FW': {
    type: 'hash:ip,port',
    comment: 'Kubernetes service load balancer ip + port for load balancer with sourceRange',
  },
  'KUBE-LOAD-BALANCER-LOCAL': {
    type: 'hash:ip,port',
    comment: 'Kubernetes service load balancer ip + port with externalTrafficPolicy=local',
  },
  'KUBE-LOAD-BALANCER-SOURCE-CIDR': {
    type: 'hash:ip,port,net',
    comment: 'Kubernetes service load balancer ip + port + source cidr for packet filter purpose',
  },
  'KUBE-LOAD-BALANCER-SOURCE-IP': {
    type: 'hash:ip,port,ip',
    comment: 'Kubernetes service load balancer ip + port + source IP for packet filter purpose',
  },
  'KUBE-LOOP-BACK': { type: 'hash:ip,port,ip', comment: 'Kubernetes endpoints dst ip:port, source ip for solving hairpin purpose' },
  'KUBE-NODE-PORT-LOCAL-SCTP-HASH': {
    type: 'hash:ip,port',
    comment: "Kubernetes nodeport SCTP port with externalTrafficPolicy=local with type 'hash ip:port'",
  },
  'KUBE-NODE-PORT-LOCAL-TCP': { type: 'bitmap:port', comment: 'Kubernetes nodeport TCP port with externalTrafficPolicy=local' },
  'KUBE-NODE-PORT-LOCAL-UDP': { type: 'bitmap:port', comment: 'Kubernetes nodeport UDP port with externalTrafficPolicy=local' },
  'KUBE-NODE-PORT-SCTP-HASH': {
    type: 'hash:ip,port',
    comment: "Kubernetes nodeport SCTP port for masquerade purpose with type 'hash ip:port'",
  },
  'KUBE-NODE-PORT-TCP': { type: 'bitmap:port', comment: 'Kubernetes nodeport TCP port for masquerade purpose' },
  'KUBE-NODE-PORT-UDP': { type: 'bitmap:port', comment: 'Kubernetes nodeport UDP port for masquerade purpose' },
} as const satisfies Record<string, SetDefinition>

export type SetName = keyof typeof SETS

export const SET_NAMES = Object.keys(SETS) as readonly SetName[]

/** The longest name of a set that the kernel takes (IPSET_MAXNAMELEN without the closing zero). */
const MAX_NAME = 31

/** The set's name in a family: `KUBE-6-…` for IPv6, cut off where the kernel's limit is, as kube-proxy does. */
export function setName(name: SetName, family: Family): string {
  return family === 'ipv4' ? name : name.replace('KUBE-', 'KUBE-6-').slice(0, MAX_NAME)
}

/** The options that kube-proxy creates a set with, in the order of `ipset save`. */
export function setOptions({ type }: SetDefinition, family: Family): Options {
  if (type === 'bitmap:port') return BITMAP
  return family === 'ipv4' ? HASH : HASH6
}

const BITMAP: Options = ['range 0-65535']
const HASH: Options = ['family inet', 'hashsize 1024', 'maxelem 65536']
const HASH6: Options = ['family inet6', 'hashsize 1024', 'maxelem 65536']
