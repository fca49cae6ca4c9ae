import type { Change, KubernetesObject } from '../delta/change.ts'
import type { LayoutName } from '../nft/layouts/index.ts'
import type { Snapshot } from '../snapshot/types.ts'

/** The nftables layouts that are measured, and iptables mode with either of its tools. */
export type CandidateName = Exclude<LayoutName, 'kube-proxy-1.37'> | 'iptables-legacy-restore' | 'iptables-nft-restore'

/** What takes one change of the cluster to the kernel. */
export interface Step {
  readonly script: string
  readonly operations: number
}

/** The rules of the node, kept up to date. */
export interface Resident {
  /** Takes everything there is at first, nodes before services. */
  start(objects: Iterable<KubernetesObject>): void
  /** The full ruleset as it is now. */
  text(): string
  update(changes: readonly Change[]): Step
}

export interface Recovery {
  readonly listCommand: string
  /** A new state from what the command printed and the cluster; returns the number of operations that it finds necessary. */
  takeOver(listing: string, snapshot: Snapshot): number
}

/** One way to turn services into rules, as it is measured. */
export interface Candidate {
  readonly name: CandidateName
  /** The program that it needs. */
  readonly tool: 'nft' | 'iptables-legacy-restore' | 'iptables-nft-restore'
  /** Objects in memory to the full ruleset as text. */
  compile(snapshot: Snapshot): string
  resident(): Resident
  /** Shell commands that load a file: into an empty namespace, and on top of what is there. */
  loadCommand(file: string): string
  updateCommand(file: string): string
  /** How a new process takes over what a kernel holds; undefined: it cannot. */
  readonly recover?: Recovery
}
