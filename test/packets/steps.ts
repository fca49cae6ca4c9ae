import { nodeContexts } from '../../src/model/index.ts'
import type { NodeContext, ServicePortView } from '../../src/model/types.ts'
import { viewsOf } from '../../src/model/views.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { renderTable } from '../../src/nft/render.ts'
import { expected, GOLDEN_CASES, type GoldenCase } from '../support/golden.ts'
import { addressesOf, type Plan, planFor } from './plan.ts'
import { widened } from './widen.ts'

/** One step of a case in all its families. */
export interface Step {
  readonly name: string
  readonly nodeAddresses: readonly string[]
  readonly plans: readonly Plan[]
  /** Rulesets of layout `maps`, one a family. */
  readonly maps: readonly string[]
  /** Those of kube-proxy 1.36. */
  readonly kubeProxy: readonly string[]
}

const ignore = (): void => {}

/** Every step of every golden case, with the recorded rulesets of kube-proxy. */
export function goldenSteps(): Step[] {
  return GOLDEN_CASES.flatMap(golden => stepsOf(golden, ({ node }, step) => recorded(golden, `nftables-1.36.${node.family}.${step}.nft`)))
}

/** Every step of every golden case in both families and both protocols, with rulesets in the layout kube-proxy-1.36. */
export function widenedSteps(): Step[] {
  return GOLDEN_CASES.flatMap(golden => stepsOf({ ...golden, ...widened(golden) }, rules => printed('kube-proxy-1.36', rules)))
}

/** What one family's rules are made from. */
interface Rules {
  readonly node: NodeContext
  readonly views: readonly ServicePortView[]
}

function stepsOf({ name, configuration, host, snapshots }: GoldenCase, kubeProxy: (rules: Rules, step: number) => string): Step[] {
  return snapshots.map((snapshot, step) => {
    const families = nodeContexts({ snapshot, configuration, host, nodeName: undefined, report: ignore }).map(node => ({
      node,
      views: viewsOf(snapshot, node, ignore),
    }))
    return {
      name: `${name} ${step}`,
      nodeAddresses: families.flatMap(({ node }) => addressesOf(node)),
      plans: families.map(({ node, views }) => planFor(node, views)),
      maps: families.map(rules => counting(printed('maps', rules))),
      kubeProxy: families.map(rules => counting(kubeProxy(rules, step))),
    }
  })
}

function printed(name: LayoutName, { node, views }: Rules): string {
  const layout = LAYOUTS[name]
  return renderTable(layout, node, views)
}

function recorded(golden: GoldenCase, file: string): string {
  const text = expected(golden, file)
  if (text === undefined) throw new Error(`${golden.name} has no ${file}`)
  return text
}

/** Counting in place of random numbers: N packets in a row meet N endpoints, so nothing is left to chance. */
function counting(script: string): string {
  return script.replaceAll(/^add rule .* numgen random .*$/gm, rule => rule.replaceAll('numgen random', 'numgen inc'))
}
