import type { Family } from '../address.ts'
import type { ServiceRef } from './service-index.ts'

/**
 * One thing in which a dump differs from what the snapshot asks for. `missing`: it is asked for and not there; `extra`: it is there and not asked
 * for; `different`: it is there with another content.
 */
export interface Difference {
  readonly kind: 'missing' | 'extra' | 'different'
  /** Such as `element of map service-ips`, `rule of chain nat KUBE-SERVICES` or `virtual server`. */
  readonly object: string
  /** As the snapshot asks for it, in the tool's own words; empty for `extra`. */
  readonly wanted: readonly string[]
  /** As the dump has it; empty for `missing`. */
  readonly found: readonly string[]
  /** The service ports that it belongs to, sorted; empty: the node itself, or nothing that is known. */
  readonly services: readonly ServiceRef[]
}

/** The comparison of one family. */
export interface FamilyComparison {
  readonly family: Family
  readonly differences: readonly Difference[]
  /** Sentences about what was seen and is no difference, or was not compared. */
  readonly notes: readonly string[]
}

/** A difference between two lists of texts; undefined when both are empty. */
export function difference(
  object: string,
  wanted: readonly string[],
  found: readonly string[],
  services: readonly ServiceRef[],
): Difference | undefined {
  if (wanted.length === 0 && found.length === 0) return undefined
  return { kind: found.length === 0 ? 'missing' : wanted.length === 0 ? 'extra' : 'different', object, wanted, found, services }
}

/** A note about things that are left behind and that no packet gets to. */
export function staleNotes(names: Iterable<string>): string[] {
  const all = [...names]
  if (all.length === 0) return []
  const shown = all.slice(0, 5).join(', ')
  return [`${all.length} stale, nothing leads there any more: ${shown}${all.length > 5 ? ', …' : ''}`]
}
