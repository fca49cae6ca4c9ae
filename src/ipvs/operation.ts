import type { Origin } from '../delta/operation.ts'
import type { IptablesOperation } from '../iptables/operation.ts'
import type { Options } from './contents.ts'

/** A thing of IPVS mode that a command is about. */
export type IpvsObject =
  | { readonly kind: 'interface' }
  | { readonly kind: 'set'; readonly name: string; readonly type: string; readonly options: Options }
  | { readonly kind: 'entry'; readonly set: string; readonly entry: string }
  /** An address on kube-ipvs0. */
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'virtual server'; readonly service: string; readonly options: Options }
  | { readonly kind: 'destination'; readonly service: string; readonly destination: string; readonly options: Options }

/** One command and what it is there for. `edit` changes options and leaves connections alone; a deleted virtual server takes its destinations along. */
export interface IpvsCommand {
  readonly verb: 'add' | 'edit' | 'delete'
  readonly object: IpvsObject
  readonly origins: readonly Origin[]
}

/** A change of iptables rules, which tools take with others of its kind in one transaction. */
export interface RulesCommand {
  readonly verb: 'restore'
  readonly operation: IptablesOperation
  readonly origins: readonly Origin[]
}

export type IpvsOperation = IpvsCommand | RulesCommand

/**
 * Sorts operations into an order in which every command finds what it needs, and new things work before old ones go: there is no transaction over
 * the tools. It is kube-proxy's order: virtual servers, addresses, sets, rules, then what is left over.
 */
export class IpvsPhases {
  readonly create: IpvsCommand[] = []
  readonly servers: IpvsCommand[] = []
  readonly addAddresses: IpvsCommand[] = []
  readonly addEntries: IpvsCommand[] = []
  readonly deleteEntries: IpvsCommand[] = []
  readonly rules: RulesCommand[] = []
  readonly deleteAddresses: IpvsCommand[] = []
  readonly deleteServers: IpvsCommand[] = []
  readonly destroy: IpvsCommand[] = []

  inOrder(): IpvsOperation[] {
    return [
      ...this.create,
      ...this.servers,
      ...this.addAddresses,
      ...this.addEntries,
      ...this.deleteEntries,
      ...this.rules,
      ...this.deleteAddresses,
      ...this.deleteServers,
      ...this.destroy,
    ]
  }
}
