import { nodeContexts } from '../../src/model/node.ts'
import type { NodeContext, ServicePortView } from '../../src/model/types.ts'
import { viewsOf } from '../../src/model/views.ts'
import { GOLDEN_CASES, type GoldenCase } from '../support/golden.ts'

/** A node in one family at one step of a golden case. */
export interface Seen {
  readonly title: string
  readonly golden: GoldenCase
  readonly step: number
  readonly node: NodeContext
  readonly views: readonly ServicePortView[]
}

/** Every step of every golden case in each family; `nfacct`: whether the host has the counters of the case. */
export function seenGoldens({ nfacct = true } = {}): Seen[] {
  const report = (): void => {}
  return GOLDEN_CASES.flatMap(golden =>
    golden.snapshots.flatMap((snapshot, step) => {
      const { configuration, host, name } = golden
      const facts = nfacct ? host : { ...host, nfacct: [] }
      return nodeContexts({ snapshot, configuration, host: facts, nodeName: undefined, report }).map(node => ({
        title: `${name} step ${step} ${node.family}`,
        golden,
        step,
        node,
        views: viewsOf(snapshot, node, report),
      }))
    }),
  )
}
