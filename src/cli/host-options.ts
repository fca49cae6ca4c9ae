import type { InferredOptionTypes, Options } from 'yargs'
import type { Family } from '../address.ts'
import { NODE_OPTIONS } from './options.ts'

const { mode: _, ...rest } = NODE_OPTIONS

/** Options of the commands that change or look at a host's table, besides those that say what the rules are. */
export const HOST_OPTIONS = {
  netns: { type: 'string', requiresArg: true, describe: 'Network namespace: a name of ip netns, or the path of a namespace file' },
} satisfies Record<string, Options>

/** Options of the commands that change it. */
export const LOCK_OPTIONS = {
  yes: { alias: 'y', type: 'boolean', default: false, describe: 'Do not ask' },
  'lock-file': {
    type: 'string',
    requiresArg: true,
    describe: 'Lock that keeps two applies apart; by default one for each network namespace, in /run/lock',
  },
} satisfies Record<string, Options>

export interface LockArguments {
  readonly yes: boolean
  readonly lockFile: string | undefined
}

/** The node's options without the mode: only nftables mode can be applied. */
export const APPLIED_NODE_OPTIONS = rest

export type AppliedNodeArguments = InferredOptionTypes<typeof APPLIED_NODE_OPTIONS> & InferredOptionTypes<typeof HOST_OPTIONS>

/** Families whose tables are looked at: those that the node has no rules for may have a table from before. */
export function familiesOf({ family }: Pick<AppliedNodeArguments, 'family'>): readonly Family[] {
  return family === undefined ? ['ipv4', 'ipv6'] : [family]
}
