import type { Operation } from '../delta/operation.ts'
import type { TableContents } from '../nft/contents.ts'

/** Linux 6.2 is the first to delete a chain in the transaction that drops its last reference, in every case. */
const FIRST_WITH_DELETE = [6, 2] as const

/** What is done now, and the chains that are only emptied: nothing leads to them, and the next apply deletes them. */
export interface Deferred {
  readonly operations: readonly Operation[]
  readonly chains: ReadonlySet<string>
}

/**
 * Leaves deletions that an old kernel refuses for the next transaction: those of chains that something in the live table still leads to. They are flushed all the
 * same, and are without references after it. kube-proxy defers them too (proxier.go, "chains cannot be deleted in the transaction that drops their last reference").
 *
 * @param kernel release, as `uname -r` prints it
 */
export function deferDeletions(operations: readonly Operation[], live: TableContents | undefined, kernel: string): Deferred {
  if (live === undefined || !isOld(kernel) || !operations.some(isChainDeletion)) return { operations, chains: new Set() }
  const referenced = referencedChains(live)
  const chains = new Set<string>()
  const now = operations.filter(operation => {
    const { object } = operation
    if (!isChainDeletion(operation) || object.kind !== 'chain' || !referenced.has(object.name)) return true
    chains.add(object.name)
    return false
  })
  return { operations: now, chains }
}

function isChainDeletion({ verb, object }: Operation): boolean {
  return verb === 'delete' && object.kind === 'chain'
}

function isOld(kernel: string): boolean {
  const [, major = 0, minor = 0] = (/^(\d+)\.(\d+)/.exec(kernel) ?? []).map(Number)
  return major < FIRST_WITH_DELETE[0] || (major === FIRST_WITH_DELETE[0] && minor < FIRST_WITH_DELETE[1])
}

function referencedChains({ chains, elements }: TableContents): Set<string> {
  const found = new Set<string>()
  const note = (text: string): void => {
    for (const [, name] of text.matchAll(/\b(?:goto|jump) ([\w./-]+)/g)) found.add(name as string)
  }
  for (const { rules } of chains.values()) for (const rule of rules) note(rule)
  const verdicts = new Set<string>()
  for (const own of elements.values()) for (const { value } of own.values()) if (value !== undefined) verdicts.add(value)
  for (const verdict of verdicts) note(verdict)
  return found
}
