import type { Family } from '../address.ts'
import type { NodeContext } from '../model/types.ts'
import type { Fragment } from '../nft/fragment.ts'
import type { Finding } from './preflight/finding.ts'
import type { Run } from './preflight/run.ts'

export interface PreflightInput {
  readonly run: Run
  /** The rulesets that are to be applied, as `NodeRules.fragments()` gives them: only what they need is asked for. */
  readonly rulesets: readonly { readonly family: Family; readonly table: string; readonly fragment: Fragment }[]
  /** The node in each family. */
  readonly nodes: readonly NodeContext[]
  /** Whether rules of another service proxy may be there too: they are warnings then, not errors. */
  readonly alongside?: boolean
  readonly platform?: NodeJS.Platform
}

/** Looks at everything that has to be as the rulesets need it, and changes nothing. Findings of every severity, in the order of the checks. */
export async function preflight(_input: PreflightInput): Promise<Finding[]> {
  return []
}
