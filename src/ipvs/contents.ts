import type { Ruleset } from '../iptables/ruleset.ts'

/** Options as the tool prints them, an option with its value in one string: `-s rr`, `-p 10800`, `hashsize 1024`, `counters`. */
export type Options = readonly string[]

/** A virtual server of IPVS. */
export interface VirtualServer {
  /** `-s rr`, then `-p SECONDS`, `-M NETMASK`, … */
  readonly options: Options
  /** Where it sends connections, as `10.1.0.1:8080` or `[fd00::1]:8080`, with options such as `-m` (masquerading) and `-w 1`. */
  readonly destinations: ReadonlyMap<string, Options>
}

/** Virtual servers by the service as ipvsadm names it: `-t 10.0.0.1:80`, `-u [fd00::1]:53`, `--sctp-service …`, `-f 7` (firewall mark). */
export type VirtualServers = ReadonlyMap<string, VirtualServer>

/** A set of ipset. */
export interface IpSet {
  /** `hash:ip,port` */
  readonly type: string
  /** `family inet`, `hashsize 1024`, … */
  readonly options: Options
  /** Entries such as `10.0.0.1,tcp:80` with options such as `timeout 60` and `comment "text"`. */
  readonly entries: ReadonlyMap<string, Options>
}

/** Sets by name. */
export type IpSets = ReadonlyMap<string, IpSet>

/** Everything that IPVS mode puts on a node in one family. */
export interface IpvsContents {
  readonly virtualServers: VirtualServers
  readonly sets: IpSets
  /** Addresses on the interface kube-ipvs0, without prefix length. */
  readonly addresses: ReadonlySet<string>
  readonly iptables: Ruleset
}

export const NO_OPTIONS: Options = []

/** The dummy interface that holds the addresses of virtual servers, so that the kernel takes packets to them for its own. */
export const INTERFACE = 'kube-ipvs0'
