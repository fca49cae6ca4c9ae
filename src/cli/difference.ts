import { type Change, changesBetween } from '../delta/change.ts'
import { NodeRules, type Transaction } from '../delta/node-rules.ts'
import { partialSync } from '../delta/partial-sync.ts'
import { type Size, sizeOf } from '../delta/statistics.ts'
import type { Report } from '../diagnostics.ts'
import { nodeContexts } from '../model/node.ts'
import { LAYOUTS } from '../nft/layouts/index.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import { printTable } from '../nft/print.ts'
import type { HostFacts, KubeProxyConfiguration, Snapshot } from '../snapshot/types.ts'

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

/** The rules for the first snapshot, and the transactions to the second one. */
export interface Difference {
  readonly layout: Layout
  readonly transactions: readonly Transaction[]
  /** Full texts by family, with the slots as they are after the change. */
  readonly textBefore: ReadonlyMap<string, string>
  readonly textAfter: ReadonlyMap<string, string>
}

const EMPTY: Snapshot = { nodes: [], serviceCIDRs: [], services: [], endpointSlices: [] }

export function difference(layout: Layout, input: DifferenceInput): Difference {
  const { before, after, configuration, host, nodeName, family, report } = input
  const rules = new NodeRules({ layout, configuration: configuration ?? before.configuration, host, nodeName, family, report })
  rules.apply(changesBetween(EMPTY, before))
  const textBefore = texts(rules, layout)
  const changes = changesBetween(before, after)
  if (configuration === undefined) changes.push({ type: 'configuration', configuration: after.configuration } satisfies Change)
  const transactions = rules.apply(changes)
  return { layout, transactions, textBefore, textAfter: texts(rules, layout) }
}

function texts(rules: NodeRules, layout: Layout): Map<string, string> {
  return new Map(
    rules.fragments().map(({ family, table, fragment }) => [family, printTable(fragment, { family, table }, layout.tableComment)]),
  )
}

/** What other ways to get the same change into the kernel would send, summed over the families. */
export interface Comparison {
  readonly kubeProxyPartialSync: Size
  readonly fullReload: Size
}

export function compare(input: DifferenceInput, { textAfter }: Difference): Comparison {
  const layout = LAYOUTS['kube-proxy-1.36']
  const { after, configuration, host, nodeName } = input
  const nodes = nodeContexts({ snapshot: after, configuration: configuration ?? after.configuration, host, nodeName, report: () => {} })
  const syncs = difference(layout, { ...input, report: () => {} }).transactions.map(transaction => {
    const node = nodes.find(context => context.family === transaction.family)
    return sizeOf(node === undefined ? transaction.operations : partialSync(transaction, node, layout), transaction)
  })
  const reloads = [...textAfter.values()].map(text => ({ operations: text.split('\n').length - 1, bytes: Buffer.byteLength(text) }))
  return { kubeProxyPartialSync: sum(syncs), fullReload: sum(reloads) }
}

export function sum(sizes: readonly Size[]): Size {
  return sizes.reduce((a, b) => ({ operations: a.operations + b.operations, bytes: a.bytes + b.bytes }), { operations: 0, bytes: 0 })
}
