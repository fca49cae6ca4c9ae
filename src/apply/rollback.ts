import { tablePath } from '../nft/print.ts'
import type { Live } from './live.ts'
import type { Nft, Result } from './nft/nft.ts'
import type { Plan } from './plan.ts'

/** Puts the tables of a plan back as they were read before it, whatever they hold by now. One transaction. */
export function rollBack(nft: Nft, plan: Plan, before: Live): Promise<Result<void>> {
  return nft.load(
    plan.tables
      .map(table => {
        const path = tablePath(table)
        // Added first, because what is not there cannot be deleted.
        return `add table ${path}\ndelete table ${path}\n${before[table.family]?.listing ?? ''}`
      })
      .join(''),
  )
}
