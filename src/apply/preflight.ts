import type { Family } from '../address.ts'
import type { Fragment } from '../nft/fragment.ts'
import type { Finding } from './preflight/finding.ts'
import { readHostFacts } from './preflight/host-facts.ts'
import { checkExpressions, checkKernelVersion } from './preflight/kernel.ts'
import { checkNft } from './preflight/nft-program.ts'
import { checkOtherProxies } from './preflight/other-proxies.ts'
import { checkParameters, type ParameterNode } from './preflight/parameters.ts'
import type { Run } from './preflight/run.ts'

export interface PreflightInput {
  readonly run: Run
  /** The rulesets that are to be applied, as `NodeRules.fragments()` gives them: only what they need is asked for, everything without a fragment. */
  readonly rulesets: readonly { readonly family: Family; readonly table: string; readonly fragment?: Fragment }[]
  /** The node in each family. */
  readonly nodes: readonly ParameterNode[]
  /** Whether rules of another service proxy may be there too: they are warnings then, not errors. */
  readonly alongside?: boolean
  readonly platform?: NodeJS.Platform
}

/**
 * Looks at everything that has to be as the rulesets need it, and changes nothing. Findings of every severity, in the order of the checks; a check that
 * cannot be made because an earlier one failed is left out.
 */
export async function preflight(input: PreflightInput): Promise<Finding[]> {
  const { run, rulesets, nodes, alongside = false, platform = process.platform } = input
  if (platform !== 'linux')
    return [unfit('platform', `this is ${platform}`, 'nftables is part of Linux.', 'Run kubenft on the node itself.')]
  const { facts, problem } = await readHostFacts(run)
  if (problem !== undefined) {
    const why = 'Everything else is asked from inside it.'
    return [
      unfit('namespace', `the network namespace cannot be entered: ${problem}`, why, 'Check its name with ip netns list, and the rights.'),
    ]
  }
  const { findings, tables } = await checkNft(run)
  return [
    checkKernelVersion(facts),
    ...findings,
    ...(tables === undefined ? [] : await checkExpressions(run, rulesets)),
    ...(tables === undefined
      ? []
      : await checkOtherProxies({
          run,
          facts,
          families: rulesets.map(({ family }) => family),
          tables,
          ownTable: rulesets[0]?.table ?? '',
          alongside,
        })),
    ...checkParameters(facts, nodes),
  ]
}

/** Whether nothing may be applied. */
export function refuses(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

function unfit(id: string, what: string, why: string, action: string): Finding {
  return { id, severity: 'error', what, why, action }
}
