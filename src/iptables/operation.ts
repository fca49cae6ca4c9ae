import type { Origin } from '../delta/operation.ts'
import { TABLES, type TableName } from './layout.ts'

/**
 * One step of a change and what it is there for.
 *
 * - `write`: a chain is made, or emptied if it is there, and filled.
 * - `delete`: a chain of which nothing is left is emptied and deleted.
 * - `append`, `remove`: rules in a built-in chain, which other programs use too and which therefore is never emptied.
 */
export interface IptablesOperation {
  readonly verb: 'write' | 'delete' | 'append' | 'remove'
  readonly table: TableName
  readonly chain: string
  /** Empty for `delete`. */
  readonly rules: readonly string[]
  readonly origins: readonly Origin[]
}

/**
 * Operations as input of `iptables-restore --noflush`, which takes each table as a whole: chains are made or emptied before anything names them,
 * and deleted when nothing does any more. Empty for no operations.
 * @param explain lines of comment for an operation
 */
export function printRestore(
  operations: readonly IptablesOperation[],
  explain: (operation: IptablesOperation) => readonly string[] = () => [],
): string {
  const lines: string[] = []
  for (const table of TABLES) {
    const ours = operations.filter(operation => operation.table === table)
    if (ours.length === 0) continue
    const comments = (operation: IptablesOperation): void => {
      for (const line of explain(operation)) lines.push(`# ${line}`)
    }
    lines.push(`*${table}`)
    for (const operation of ours) {
      if (operation.verb !== 'write' && operation.verb !== 'delete') continue
      comments(operation)
      lines.push(`:${operation.chain} - [0:0]`)
    }
    for (const operation of ours) {
      const { verb, chain, rules } = operation
      if (verb === 'append' || verb === 'remove') comments(operation)
      for (const rule of rules) lines.push(`${verb === 'remove' ? '-D' : '-A'} ${chain} ${rule}`)
    }
    for (const { verb, chain } of ours) if (verb === 'delete') lines.push(`-X ${chain}`)
    lines.push('COMMIT')
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
