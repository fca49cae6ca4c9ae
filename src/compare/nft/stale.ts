import type { TableContents } from '../../nft/contents.ts'
import { reachable } from '../lists.ts'
import { isOfService } from './owners.ts'

/**
 * Chains of services, and their affinity sets, that are not wanted and that no packet gets to. kube-proxy empties the chains of a service that went, and
 * deletes them in a later sync, because kernels before 6.2 may refuse to delete a chain together with its last reference.
 */
export function staleObjects({ chains, sets, elements }: TableContents, wanted: Wanted): ReadonlySet<string> {
  const extraChains = [...chains.keys()].filter(name => isOfService(name) && !wanted.chains.has(name))
  const extraSets = [...sets.keys()].filter(name => isOfService(name) && !wanted.sets.has(name))
  if (extraChains.length === 0 && extraSets.length === 0) return new Set()
  const extra = new Set(extraChains)
  const roots = [...chains.keys()].filter(name => !extra.has(name))
  for (const keys of elements.values()) for (const { value } of keys.values()) if (value !== undefined) roots.push(...targetsIn(value))
  const alive = reachable(roots, name => (chains.get(name)?.rules ?? []).flatMap(targetsIn))
  const used = new Set([...alive].flatMap(name => (chains.get(name)?.rules ?? []).flatMap(setsIn)))
  return new Set([...extraChains.filter(name => !alive.has(name)), ...extraSets.filter(name => !used.has(name))])
}

interface Wanted {
  readonly chains: ReadonlyMap<string, unknown>
  readonly sets: ReadonlyMap<string, unknown>
}

function targetsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:goto|jump) ([^\s,}]+)/g)].map(match => match[1] as string)
}

function setsIn(rule: string): string[] {
  return [...rule.matchAll(/@(\S+)/g)].map(match => match[1] as string)
}
