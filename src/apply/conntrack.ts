import type { ServicePortChange } from '../delta/explain.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { NodeContext } from '../model/types.ts'
import type { Run } from './preflight/run.ts'

export interface ConntrackInput {
  readonly run: Run
  /** What the transactions of each family were about (`Transaction.changes`), with the node that the rules are for. */
  readonly families: readonly { readonly node: NodeContext; readonly changes: readonly ServicePortChange[] }[]
}

export interface ConntrackResult {
  /** Flows that were forgotten. */
  readonly deleted: number
  /** Why nothing, or not everything, could be done. Warnings: the rules are in place all the same. */
  readonly problems: readonly Diagnostic[]
}

/** Makes the kernel forget the UDP flows that go to endpoints their service no longer has. To be called after the rules are in place. */
export async function cleanConntrack(_input: ConntrackInput): Promise<ConntrackResult> {
  return { deleted: 0, problems: [] }
}
