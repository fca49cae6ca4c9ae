import type { Family } from '../address.ts'
import type { Origin } from '../delta/operation.ts'
import type { Counted, IpvsBatch } from './batch.ts'
import { Counts } from './counts.ts'
import { OUT_FILTER } from './iptables.ts'
import type { IpvsPhases } from './operation.ts'
import { type SetName, setName } from './sets.ts'

/** Which addresses, set entries and rules of single services there are, each with any number of owners. */
export class SharedState {
  readonly #counts = new Counts<Counted>()

  /** Brings the shared things of a batch up to date; returns the sets that got their first entry, or lost their last, each with the reasons. */
  settle({ counted }: IpvsBatch, family: Family, phases: IpvsPhases): Map<SetName, readonly Origin[]> {
    const turned = new Map<SetName, readonly Origin[]>()
    for (const [kind, pairs] of counted) {
      const wasEmpty = this.#counts.isEmpty(kind)
      const reasons = new Set<Origin>()
      for (const [key, { by, origins }] of pairs) {
        const { before, after } = this.#counts.move(kind, key, by)
        if (before > 0 === after > 0) continue
        change(kind, key, after > 0 ? 'add' : 'delete', origins, family, phases)
        for (const origin of origins) reasons.add(origin)
      }
      if (kind !== 'addresses' && kind !== 'rules' && this.#counts.isEmpty(kind) !== wasEmpty) turned.set(kind, [...reasons])
    }
    return turned
  }

  readonly isEmpty = (set: SetName): boolean => this.#counts.isEmpty(set)

  addresses(): Iterable<string> {
    return this.#counts.keys('addresses')
  }
}

function change(kind: Counted, key: string, verb: 'add' | 'delete', origins: readonly Origin[], family: Family, phases: IpvsPhases): void {
  const isNew = verb === 'add'
  if (kind === 'addresses')
    phases[isNew ? 'addAddresses' : 'deleteAddresses'].push({ verb, object: { kind: 'address', address: key }, origins })
  else if (kind === 'rules') {
    const operation = { verb: isNew ? 'append' : 'remove', table: 'filter', chain: OUT_FILTER, rules: [key], origins } as const
    phases.rules.push({ verb: 'restore', operation, origins })
  } else {
    const object = { kind: 'entry', set: setName(kind, family), entry: key } as const
    phases[isNew ? 'addEntries' : 'deleteEntries'].push({ verb, object, origins })
  }
}
