import type { Family } from '../../address.ts'
import type { Origin } from '../../delta/operation.ts'
import type { ModeState } from '../../delta/resident-rules.ts'
import type { Cluster } from '../../model/cluster.ts'
import type { NodeContext, ServicePortView } from '../../model/types.ts'

/** Reasons of an operation as lines of comment; none unless explanations are asked for. */
export type Explain = (origins: readonly Origin[]) => readonly string[]

/** A node in one family, with its service ports. */
export interface NodeViews {
  readonly node: NodeContext
  readonly views: Iterable<ServicePortView>
}

/** One of kube-proxy's modes, in nftables mode with one layout: what the command line needs of it. `O` is its operation. */
export interface Mode<O extends { readonly origins: readonly Origin[] }> {
  readonly name: 'nftables' | 'iptables' | 'ipvs'
  /** Layout, or the mode where there is only one. */
  readonly form: string
  /** What its change is called with `-o`: the input of the tool that makes it. */
  readonly output: 'nft' | 'restore' | 'commands'
  /** Full texts for one family, by file extension. */
  render(node: NodeContext, views: Iterable<ServicePortView>): Readonly<Record<string, string>>
  /** All families as one document in JSON. */
  json(families: readonly NodeViews[]): string
  createState(cluster: Cluster): ModeState<O, never>
  /** A change of one family as the tool takes it. */
  print(operations: readonly O[], family: Family, explain: Explain): string
  /** Kind of an operation for statistics, such as `add element`. */
  kindOf(operation: O): string
  /** An operation for JSON, with the command that does it. */
  describe(operation: O, family: Family): object
}

/** The texts of a mode that has no JSON of its own, by file name. */
export function textsJson({ name, render }: Pick<Mode<never>, 'name' | 'render'>, families: readonly NodeViews[]): string {
  const texts = families.flatMap(({ node, views }) =>
    Object.entries(render(node, views)).map(([part, text]) => [`${node.family}.${part}`, text] as const),
  )
  return `${JSON.stringify({ apiVersion: 'kubenft/v1', kind: 'Rules', mode: name, texts: Object.fromEntries(texts) }, null, 2)}\n`
}
