import { type Change, changesBetween } from '../delta/change.ts'
import type { Origin } from '../delta/operation.ts'
import { partialSync } from '../delta/partial-sync.ts'
import { type FamilyCommit, type ModeState, ResidentRules } from '../delta/resident-rules.ts'
import { RulesetState } from '../delta/ruleset-state.ts'
import { type Size, sizeOf, sum } from '../delta/statistics.ts'
import type { Report } from '../diagnostics.ts'
import type { Cluster } from '../model/cluster.ts'
import { LAYOUTS } from '../nft/layouts/index.ts'
import type { HostFacts, KubeProxyConfiguration, Snapshot } from '../snapshot/types.ts'
import type { AnyMode } from './modes/index.ts'

/** Two snapshots and the node that both are looked at from. */
export interface DifferenceInput {
  readonly before: Snapshot
  readonly after: Snapshot
  /** `--config`; without it each snapshot's own configuration counts. */
  readonly configuration: KubeProxyConfiguration | undefined
  readonly host: HostFacts | undefined
  readonly nodeName: string | undefined
  readonly family: 'ipv4' | 'ipv6' | undefined
  readonly report: Report
}

/** The commits that lead from the rules for the first snapshot to those for the second one. */
export interface Difference {
  readonly mode: AnyMode
  readonly commits: readonly FamilyCommit<{ readonly origins: readonly Origin[] }>[]
  /** Full texts by file name (`ipv4.nft`), with the slots as they are before and after the change. */
  readonly textBefore: ReadonlyMap<string, string>
  readonly textAfter: ReadonlyMap<string, string>
}

const EMPTY: Snapshot = { nodes: [], serviceCIDRs: [], services: [], endpointSlices: [] }

export function difference(mode: AnyMode, input: DifferenceInput): Difference {
  const { rules, change } = residentBefore(input, mode.createState)
  const textBefore = texts(mode, rules)
  const commits = rules.commit(change)
  return { mode, commits, textBefore, textAfter: texts(mode, rules) }
}

/** Rules as they are for the first snapshot, and what happens to its objects. */
function residentBefore<O>(
  { before, after, configuration, host, nodeName, family, report }: DifferenceInput,
  createState: (cluster: Cluster) => ModeState<O, never>,
): { readonly rules: ResidentRules<O>; readonly change: readonly Change[] } {
  const rules = new ResidentRules<O>({ configuration: configuration ?? before.configuration, host, nodeName, family, report }, createState)
  rules.commit(changesBetween(EMPTY, before))
  const change = changesBetween(before, after)
  if (configuration === undefined) change.push({ type: 'configuration', configuration: after.configuration })
  return { rules, change }
}

function texts(mode: AnyMode, rules: ResidentRules<unknown>): Map<string, string> {
  return new Map(
    rules
      .states()
      .flatMap(({ node, state }) =>
        Object.entries(mode.render(node, state.views())).map(([part, text]) => [`${node.family}.${part}`, text] as const),
      ),
  )
}

/** What other ways to get the same change onto the node would send, summed over the families. */
export interface Comparison {
  /** In nftables mode, what kube-proxy 1.36 sends for a change of services and endpoints. */
  readonly kubeProxyPartialSync?: Size
  readonly fullReload: Size
}

export function compare(input: DifferenceInput, { mode, textAfter }: Difference): Comparison {
  const reloads = [...textAfter.values()].map(text => ({ operations: text.split('\n').length - 1, bytes: Buffer.byteLength(text) }))
  const fullReload = sum(reloads)
  return mode.name === 'nftables' ? { kubeProxyPartialSync: kubeProxyPartialSync(input), fullReload } : { fullReload }
}

function kubeProxyPartialSync(input: DifferenceInput): Size {
  const layout = LAYOUTS['kube-proxy-1.36']
  const { rules, change } = residentBefore({ ...input, report: () => {} }, cluster => new RulesetState(layout, cluster))
  const commits = rules.commit(change)
  const nodes = new Map(rules.states().map(({ node }) => [node.family, node]))
  return sum(
    commits.map(commit => {
      const node = nodes.get(commit.family)
      return sizeOf(node === undefined ? commit.operations : partialSync(commit, node, layout), {
        family: commit.family,
        table: layout.table,
      })
    }),
  )
}
