import type { ServicePortView } from '../model/types.ts'
import type { ServicePortChange } from './explain.ts'

/** The views that the last rules were made from, by service. Old fragments are made again from them when they are needed. */
export class Rendered {
  readonly #views = new Map<string, readonly ServicePortView[]>()

  keys(): IterableIterator<string> {
    return this.#views.keys()
  }

  of(key: string): readonly ServicePortView[] {
    return this.#views.get(key) ?? []
  }

  /** Every service port, sorted by service, for a full render. */
  *all(): Generator<ServicePortView> {
    for (const key of [...this.#views.keys()].sort()) yield* this.of(key)
  }

  /**
   * Takes a service's views over as rendered and returns what happened to each of its ports.
   * @param settle the view to keep for a port, given the one before
   */
  take(
    key: string,
    views: readonly ServicePortView[],
    settle: (before: ServicePortView | undefined, view: ServicePortView) => ServicePortView = (_, view) => view,
  ): ServicePortChange[] {
    const unmatched = new Map(this.#views.get(key)?.map(view => [portIdentity(view), view]))
    const changes: ServicePortChange[] = views.map(view => {
      const identity = portIdentity(view)
      const before = unmatched.get(identity)
      unmatched.delete(identity)
      return { before, after: settle(before, view) }
    })
    if (changes.length === 0) this.#views.delete(key)
    else
      this.#views.set(
        key,
        changes.map(({ after }) => after as ServicePortView),
      )
    for (const before of unmatched.values()) changes.push({ before, after: undefined })
    return changes
  }
}

/** A service port keeps its identity through changes of number and endpoints (kube-proxy's service port name and protocol). */
function portIdentity({ port }: ServicePortView): string {
  return `${port.portName}/${port.protocol}`
}
