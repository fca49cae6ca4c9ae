import { lacking } from '../../lab/lacking.ts'
import { Namespace } from '../../lab/namespace.ts'
import { type Applied, type ApplyOptions, apply } from '../../src/apply/apply.ts'
import { Nft } from '../../src/apply/nft/nft.ts'
import type { NftProgram } from '../../src/apply/nft/program.ts'
import type { Planner } from '../../src/apply/plan.ts'
import { type Goal, snapshotPlanner } from '../../src/apply/snapshot-plan.ts'
import { Stopwatch } from '../../src/apply/stopwatch.ts'
import { changesBetween } from '../../src/delta/change.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import type { KubeProxyConfiguration, Snapshot } from '../../src/snapshot/types.ts'
import { normalized } from '../support/kernel.ts'

/** Why these tests cannot run here; under CI they fail instead. */
export const missing = process.env['CI'] === undefined ? lacking() : undefined

const EMPTY: Snapshot = { nodes: [], serviceCIDRs: [], services: [], endpointSlices: [] }

export interface GoalOptions {
  readonly layout?: LayoutName
  readonly configuration?: KubeProxyConfiguration
  readonly kernel?: string
}

export function goalOf(snapshot: Snapshot, { layout = 'maps', configuration, kernel = '6.8.0' }: GoalOptions = {}): Goal {
  const options = { configuration, host: undefined, nodeName: undefined, report: () => {} }
  return {
    ...options,
    layout: LAYOUTS[layout],
    changes: changesBetween(EMPTY, snapshot),
    nodes: nodeContexts({ snapshot, ...options }),
    kernel,
    source: () => ({
      applied: '2026-01-02T03:04:05Z',
      snapshot: '0123456789abcdef',
      files: 'cluster.yaml',
      node: 'node-a',
      version: '0.0.0',
    }),
  }
}

/** The nft of a namespace. */
export function nftOf(namespace: Namespace): NftProgram {
  return async (args, script = '') => {
    const { code, stdout, stderr } = await namespace.run(['nft', ...args], script)
    return code === null ? { how: 'killed', signal: 'SIGKILL', stderr } : { how: 'exited', code, stdout, stderr }
  }
}

export type Overrides = Partial<Omit<ApplyOptions, 'nft' | 'planner'>> & { readonly nft?: NftProgram; readonly planner?: Planner }

/** Applies a goal in a namespace without asking, and without the parts that look beyond the tables. */
export function applyIn(
  namespace: Namespace,
  goal: Goal,
  { nft = nftOf(namespace), planner = snapshotPlanner(goal), ...overrides }: Overrides = {},
): Promise<Applied> {
  return apply({
    nft: new Nft(nft),
    table: goal.layout.table,
    families: ['ipv4', 'ipv6'],
    planner: async () => planner,
    openMonitor: async () => undefined,
    lock: () => () => {},
    preflight: async () => {},
    confirm: async () => true,
    conntrack: async () => undefined,
    rollback: true,
    signal: new AbortController().signal,
    stopwatch: new Stopwatch(),
    ...overrides,
  })
}

/** Everything in the namespace's ruleset, as nft prints it. */
export function listing(namespace: Namespace): Promise<string> {
  return namespace.must(['nft', 'list', 'ruleset'])
}

/** The tables of a name in a form in which equal ones are equal, without what says where they came from. */
export async function tables(namespace: Namespace, name: string): Promise<string[][]> {
  const texts = await Promise.all(['ip', 'ip6'].map(family => namespace.must(['nft', '-j', 'list', 'table', family, name])))
  return texts.map(text => normalized(text).filter(line => !line.includes('"kubenft-applied"')))
}

export { Namespace }
