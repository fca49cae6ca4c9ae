import type { Family } from '../address.ts'
import { DiagnosticsError } from '../diagnostics.ts'
import type { Planner } from './plan.ts'

/** Name of the table of our own layout; the others write kube-proxy's. */
const OWN_TABLE = 'kubenft'

/** Plans the removal of our tables. @throws DiagnosticsError when a table has kube-proxy's name and was not made by apply */
export function deletePlanner(table: string): Planner {
  return live => {
    const families = Object.keys(live) as Family[]
    const foreign = families.filter(family => table !== OWN_TABLE && live[family]?.metadata === undefined)
    if (foreign.length > 0) {
      throw new DiagnosticsError(
        foreign.map(family => ({
          severity: 'error',
          summary: `table ${table} (${family}) was not made by kubenft apply`,
          detail: `Nothing was changed. kube-proxy may be using it; \`nft delete table ${family === 'ipv4' ? 'ip' : 'ip6'} ${table}\` removes it all the same.`,
        })),
      )
    }
    return {
      tables: families.map(family => ({
        family,
        table,
        operations: [{ verb: 'delete', object: { kind: 'table' }, because: ['kubenft delete'] }],
        deferred: new Set(),
        asked: undefined,
      })),
      metadata: undefined,
      services: [],
      families: [],
      rulesets: [],
    }
  }
}
