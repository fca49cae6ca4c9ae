import type { Argv, InferredOptionTypes, Options } from 'yargs'
import type { Io } from './io.ts'

/** Options of every command. */
export const COMMON_OPTIONS = {
  color: {
    choices: ['auto', 'always', 'never'] as const,
    default: 'auto' as const,
    describe: 'Colour on terminals; NO_COLOR turns it off',
    global: true,
  },
} satisfies Record<string, Options>

/** Options of every command that makes rules for a node. */
export const NODE_OPTIONS = {
  config: { type: 'string', requiresArg: true, describe: 'KubeProxyConfiguration of the node, or the ConfigMap that holds it' },
  host: { type: 'string', requiresArg: true, describe: 'JSON file of host facts: interfaces, families, nfacct counters' },
  node: { type: 'string', requiresArg: true, describe: 'Name of the node the rules are for' },
  mode: { choices: ['nftables', 'iptables', 'ipvs'] as const, default: 'nftables' as const, describe: 'Which of kube-proxy’s modes' },
  layout: {
    choices: ['maps', 'kube-proxy-1.34', 'kube-proxy-1.36', 'kube-proxy-1.37'] as const,
    default: 'maps' as const,
    describe: 'Form of the nftables ruleset',
  },
  family: { choices: ['ipv4', 'ipv6'] as const, describe: 'Only this IP family' },
  strict: { type: 'boolean', default: false, describe: 'Treat warnings as errors' },
} satisfies Record<string, Options>

export const FILES_OPTION = {
  filename: {
    alias: 'f',
    type: 'string',
    // Not an array for yargs, whose arrays do not take "-" as a value; a repeated option gives one all the same.
    nargs: 1,
    coerce: (value: string | string[]): string[] => [value].flat(),
    demandOption: true,
    describe: 'Snapshot: file, folder or - (repeatable)',
  },
} satisfies Record<string, Options>

export type CommonArguments = InferredOptionTypes<typeof COMMON_OPTIONS>
export type NodeArguments = InferredOptionTypes<typeof NODE_OPTIONS> & CommonArguments

/** One subcommand: its options for yargs, and what it does with them. `run` returns the exit code. */
export interface Command<T> {
  readonly command: string
  readonly describe: string
  readonly builder: (yargs: Argv<CommonArguments>) => Argv<T>
  readonly run: (args: T, io: Io) => Promise<number>
}
