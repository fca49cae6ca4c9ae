import { serviceKey } from '../model/claims.ts'
import type { Command } from '../nft/objects.ts'
import { printCommand, type TableName } from '../nft/print.ts'
import type { Origin } from './operation.ts'

/** How much a script is. */
export interface Size {
  readonly operations: number
  readonly bytes: number
}

/** How many there are of each kind (such as `add element`), in order of first appearance. */
export function countByKind(kinds: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Size of commands as an nft script, in commands and UTF-8 bytes. */
export function sizeOf(commands: readonly Command[], table: TableName): Size {
  let bytes = 0
  for (const command of commands) bytes += Buffer.byteLength(printCommand(command, table)) + 1
  return { operations: commands.length, bytes }
}

export function sum(sizes: readonly Size[]): Size {
  return sizes.reduce((a, b) => ({ operations: a.operations + b.operations, bytes: a.bytes + b.bytes }), { operations: 0, bytes: 0 })
}

/** `namespace/name` of every service that an operation is there for, sorted. */
export function servicesTouched(operations: readonly { readonly origins: readonly Origin[] }[]): string[] {
  const keys = operations.flatMap(({ origins }) =>
    origins.flatMap(origin => {
      const port = typeof origin === 'string' ? undefined : (origin.after?.port ?? origin.before?.port)
      return port === undefined ? [] : [serviceKey(port)]
    }),
  )
  return [...new Set(keys)].sort()
}
