import path from 'node:path'
import { digest } from '../apply/contents.ts'
import { rfc3339 } from '../apply/metadata.ts'
import type { Goal } from '../apply/snapshot-plan.ts'
import { changesBetween } from '../delta/change.ts'
import type { Report } from '../diagnostics.ts'
import { nodeContexts } from '../model/node.ts'
import { LAYOUTS } from '../nft/layouts/index.ts'
import { readConfiguration, readHostFacts, readSnapshot } from '../snapshot/index.ts'
import type { Snapshot } from '../snapshot/types.ts'
import type { Io } from './io.ts'
import type { NodeArguments } from './options.ts'
import { VERSION } from './version.ts'

const EMPTY: Snapshot = { nodes: [], serviceCIDRs: [], services: [], endpointSlices: [] }

/** Reads what the rules of a node are to be made from. */
export async function loadGoal(
  files: readonly string[],
  args: Pick<NodeArguments, 'config' | 'host' | 'node' | 'family' | 'layout'>,
  io: Pick<Io, 'stdin'>,
  { report, kernel }: { readonly report: Report; readonly kernel: string },
): Promise<Goal> {
  const options = { report, stdin: io.stdin }
  const { snapshot } = await readSnapshot(files, options)
  const configuration = args.config === undefined ? snapshot.configuration : await readConfiguration(args.config, options)
  const host = args.host === undefined ? undefined : await readHostFacts(args.host, options)
  const nodes = nodeContexts({ snapshot, configuration, host, nodeName: args.node, family: args.family, report })
  const changes = changesBetween(EMPTY, snapshot)
  return {
    layout: LAYOUTS[args.layout],
    report,
    configuration,
    host,
    nodeName: args.node,
    family: args.family,
    changes,
    nodes,
    kernel,
    source: () => ({
      applied: rfc3339(new Date()),
      snapshot: digest(objectTexts(snapshot, configuration, host)),
      files: files.map(file => path.basename(file)).join(' '),
      node: nodes[0]?.nodeName ?? '',
      version: VERSION,
    }),
  }
}

function* objectTexts({ nodes, serviceCIDRs, services, endpointSlices }: Snapshot, ...rest: readonly unknown[]): Generator<string> {
  for (const object of [...nodes, ...serviceCIDRs, ...services, ...endpointSlices, ...rest]) yield JSON.stringify(object) ?? 'null'
}
