import type { InferredOptionTypes, Options } from 'yargs'
import { NODE_OPTIONS } from './options.ts'

const { mode: _, ...rest } = NODE_OPTIONS

/** Options of the commands that change or look at a host's table, besides those that say what the rules are. */
export const HOST_OPTIONS = {
  netns: { type: 'string', requiresArg: true, describe: 'Network namespace: a name of ip netns, or the path of a namespace file' },
} satisfies Record<string, Options>

/** The node's options without the mode: only nftables mode can be applied. */
export const APPLIED_NODE_OPTIONS = rest

export type AppliedNodeArguments = InferredOptionTypes<typeof APPLIED_NODE_OPTIONS> & InferredOptionTypes<typeof HOST_OPTIONS>
