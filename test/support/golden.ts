import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import type { HostFacts, KubeProxyConfiguration, Snapshot } from '../../src/snapshot/types.ts'

const ROOT = fileURLToPath(new URL('../../golden/', import.meta.url))

/** A golden case: its inputs, and what kube-proxy made of them. */
export interface GoldenCase {
  /** `basic/dual-stack` */
  readonly name: string
  readonly folder: string
  readonly configuration: KubeProxyConfiguration
  readonly host: HostFacts
  readonly snapshots: readonly Snapshot[]
}

export const FAMILIES = { IPv4: 'ipv4', IPv6: 'ipv6' } as const

function readCase(name: string): GoldenCase {
  const folder = path.join(ROOT, name)
  const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
  const snapshots: Snapshot[] = []
  while (existsSync(path.join(folder, `snapshot-${snapshots.length}.yaml`))) {
    const { items } = load(text(`snapshot-${snapshots.length}.yaml`)) as { items: { kind: string }[] }
    const of = <T>(kind: string): T[] => items.filter(item => item.kind === kind) as T[]
    snapshots.push({ nodes: of('Node'), serviceCIDRs: of('ServiceCIDR'), services: of('Service'), endpointSlices: of('EndpointSlice') })
  }
  return {
    name,
    folder,
    configuration: load(text('kube-proxy.yaml')) as KubeProxyConfiguration,
    host: JSON.parse(text('node.json')) as HostFacts,
    snapshots,
  }
}

/** Every golden case, sorted by name. */
export const GOLDEN_CASES: readonly GoldenCase[] = ['basic', 'reports'].flatMap(group =>
  readdirSync(path.join(ROOT, group))
    .sort()
    .map(name => readCase(`${group}/${name}`)),
)

/** One of a case's expected files, such as `nftables-1.36.ipv4.0.nft`; undefined when there is none. */
export function expected({ folder }: GoldenCase, file: string): string | undefined {
  const found = path.join(folder, 'expected', file)
  return existsSync(found) ? readFileSync(found, 'utf8') : undefined
}

/**
 * An nft script in a form in which scripts that mean the same are equal: declarations and elements sorted, the rules of one chain in their order.
 */
export function comparable(script: string): string[] {
  const loose: string[] = []
  const rules = new Map<string, string[]>()
  for (const raw of script.split('\n')) {
    const line = raw
      .trim()
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\s*,\s*/g, ',')
    const rule = /^add rule (\S+ \S+ \S+) (.*)$/.exec(line)
    if (rule !== null) rules.set(rule[1] as string, [...(rules.get(rule[1] as string) ?? []), rule[2] as string])
    else if (line !== '') loose.push(line)
  }
  return [
    ...loose.sort(),
    ...[...rules].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([chain, texts]) => texts.map(text => `${chain}: ${text}`)),
  ]
}
