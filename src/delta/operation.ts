import type { NftObject, Verb } from '../nft/objects.ts'
import type { ServicePortChange } from './explain.ts'

/** Why an operation is there: a change of a service port, of the node and its configuration, or something in the live table that nobody asked for. */
export type Origin = ServicePortChange | 'node' | 'live'

/** One command of a transaction and what it is there for. A shared thing can have several origins. */
export interface Operation {
  readonly verb: Verb
  readonly object: NftObject
  readonly origins: readonly Origin[]
}

/**
 * Sorts operations into an order that the kernel takes as a whole: chains exist before anything names them, elements leave before their chains and
 * sets, chains are emptied before they, or the sets that they use, are deleted.
 */
export class Phases {
  readonly replaceChains: Operation[] = []
  readonly addChains: Operation[] = []
  readonly deleteElements: Operation[] = []
  readonly flush: Operation[] = []
  readonly deleteContainers: Operation[] = []
  readonly deleteChains: Operation[] = []
  readonly addContainers: Operation[] = []
  readonly addRules: Operation[] = []
  readonly addElements: Operation[] = []

  inOrder(): Operation[] {
    return [
      ...this.replaceChains,
      ...this.addChains,
      ...this.deleteElements,
      ...this.flush,
      ...this.deleteContainers,
      ...this.deleteChains,
      ...this.addContainers,
      ...this.addRules,
      ...this.addElements,
    ]
  }
}
