import type { Report } from '../diagnostics.ts'
import { nodeContexts } from '../model/node.ts'
import type { NodeContext } from '../model/types.ts'
import { readConfiguration, readHostFacts, readSnapshot } from '../snapshot/index.ts'
import type { Snapshot } from '../snapshot/types.ts'
import type { Io } from './io.ts'
import type { NodeArguments } from './options.ts'

/** A snapshot and the node that rules are wanted for, in each wanted family. */
export interface Loaded {
  readonly snapshot: Snapshot
  readonly nodes: readonly NodeContext[]
}

/** Reads what the node options name. `--config` goes before a KubeProxyConfiguration inside the snapshot. */
export async function load(
  files: readonly string[],
  args: Pick<NodeArguments, 'config' | 'host' | 'node' | 'family'>,
  io: Io,
  report: Report,
): Promise<Loaded> {
  const options = { report, stdin: io.stdin }
  const { snapshot } = await readSnapshot(files, options)
  const configuration = args.config === undefined ? snapshot.configuration : await readConfiguration(args.config, options)
  const host = args.host === undefined ? undefined : await readHostFacts(args.host, options)
  const nodes = nodeContexts({ snapshot, configuration, host, nodeName: args.node, family: args.family, report })
  return { snapshot, nodes }
}
