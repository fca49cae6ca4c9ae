import type { Origin } from '../delta/operation.ts'
import type { TableFragment } from './fragment.ts'
import type { TableName } from './layout.ts'
import type { IptablesOperation } from './operation.ts'
import { sameRules } from './same-rules.ts'

interface Hub {
  readonly table: TableName
  readonly name: string
  readonly byService: Map<string, readonly string[]>
  lastRules: readonly string[]
  /** Why it is to be written again; undefined: it is not. */
  origins: Set<Origin> | undefined
}

/**
 * The rules of every hub by service. A hub that changes is written again in whole, since a rule in it can only be found by its full text; keeping the
 * texts spares looking at every service for that.
 */
export class Hubs {
  readonly #hubs = new Map<string, Hub>()

  /** Takes over the hubs of the base and the rules that come last in each. */
  setBase(table: TableName, { hubs }: TableFragment): void {
    for (const [name, lastRules] of hubs) {
      const hub = this.#hubs.get(`${table} ${name}`)
      if (hub === undefined)
        this.#hubs.set(`${table} ${name}`, { table, name, byService: new Map(), lastRules, origins: new Set(['node'] as const) })
      else if (!sameRules(hub.lastRules, lastRules)) {
        hub.lastRules = lastRules
        hub.origins = (hub.origins ?? new Set()).add('node')
      }
    }
  }

  /** Takes over what the ports of a service have in the hubs now; each fragment comes with the change that led to it. */
  setService(
    service: string,
    fragments: readonly { readonly origin: Origin; readonly before: HubRules; readonly after: HubRules }[],
  ): void {
    for (const hub of this.#hubs.values()) {
      const { table, name, byService } = hub
      const rules = fragments.flatMap(({ after }) => after?.[table].hubRules.get(name) ?? [])
      if (sameRules(byService.get(service) ?? [], rules)) continue
      if (rules.length === 0) byService.delete(service)
      else byService.set(service, rules)
      const own = fragments.filter(
        ({ before, after }) => !sameRules(before?.[table].hubRules.get(name) ?? [], after?.[table].hubRules.get(name) ?? []),
      )
      hub.origins ??= new Set()
      for (const { origin } of own.length > 0 ? own : fragments) hub.origins.add(origin)
    }
  }

  /** The operations that write what changed since the last call. Services stand in the order of their names, so that the history decides nothing. */
  *takeChanged(): Generator<IptablesOperation> {
    for (const hub of this.#hubs.values()) {
      const { table, name, byService, lastRules, origins } = hub
      if (origins === undefined) continue
      hub.origins = undefined
      const services = [...byService.keys()].sort()
      const rules = [...services.flatMap(service => byService.get(service) ?? []), ...lastRules]
      yield { verb: 'write', table, chain: name, rules, origins: [...origins] }
    }
  }
}

type HubRules = Readonly<Record<TableName, TableFragment>> | undefined
