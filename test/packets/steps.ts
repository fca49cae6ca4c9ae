import { nodeContexts } from '../../src/model/index.ts'
import { viewsOf } from '../../src/model/views.ts'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import { printTable } from '../../src/nft/print.ts'
import { fullFragment } from '../../src/nft/render.ts'
import { expected, GOLDEN_CASES } from '../support/golden.ts'
import { type Plan, planFor } from './plan.ts'

/** One step of a golden case in all its families. */
export interface Step {
  readonly name: string
  readonly nodeAddresses: readonly string[]
  readonly plans: readonly Plan[]
  /** Rulesets of layout `maps`, one a family. */
  readonly maps: readonly string[]
  /** The recorded rulesets of kube-proxy 1.36. */
  readonly kubeProxy: readonly string[]
}

const ignore = (): void => {}

/** Every step of every golden case. */
export function goldenSteps(): Step[] {
  return GOLDEN_CASES.flatMap(golden =>
    golden.snapshots.map((snapshot, step) => {
      const { configuration, host } = golden
      const families = nodeContexts({ snapshot, configuration, host, nodeName: undefined, report: ignore }).map(node => ({
        node,
        views: viewsOf(snapshot, node, ignore),
      }))
      const { maps } = LAYOUTS
      return {
        name: `${golden.name} ${step}`,
        nodeAddresses: families.flatMap(({ node }) => ownAddresses(node.hostAddresses)),
        plans: families.map(({ node, views }) => planFor(node, views)),
        maps: families.map(({ node, views }) =>
          counting(printTable(fullFragment(maps, node, views), { family: node.family, table: maps.table }, maps.tableComment)),
        ),
        kubeProxy: families.map(({ node }) => counting(recorded(golden, `nftables-1.36.${node.family}.${step}.nft`))),
      }
    }),
  )
}

function recorded(golden: (typeof GOLDEN_CASES)[number], file: string): string {
  const text = expected(golden, file)
  if (text === undefined) throw new Error(`${golden.name} has no ${file}`)
  return text
}

function ownAddresses(addresses: readonly { readonly interfaceName: string; readonly address: string }[]): string[] {
  return addresses.filter(({ interfaceName }) => interfaceName !== 'lo').map(({ address }) => address)
}

/** Counting in place of random numbers: N packets in a row meet N endpoints, so nothing is left to chance. */
export function counting(script: string): string {
  return script.replaceAll(/^add rule .* numgen random .*$/gm, rule => rule.replaceAll('numgen random', 'numgen inc'))
}
