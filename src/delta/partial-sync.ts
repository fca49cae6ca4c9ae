import type { NodeContext } from '../model/types.ts'
import { Fragment } from '../nft/fragment.ts'
import type { Layout } from '../nft/layouts/layout.ts'
import type { Command } from '../nft/objects.ts'
import type { Operation } from './operation.ts'
import type { Commit } from './resident-rules.ts'

/**
 * What kube-proxy 1.36 would send for the same change (its partial sync): every chain of every port of the services that changed is declared, emptied and
 * filled again, chains that are gone are emptied and deleted in a later sync, elements are compared one by one.
 * The commit and the layout are those of the layout kube-proxy-1.36, for a change of services and endpoints only.
 */
export function partialSync({ operations, changes }: Commit<Operation>, node: NodeContext, layout: Layout): Command[] {
  const commands: Command[] = []
  for (const { after } of changes) {
    if (after === undefined) continue
    const fragment = new Fragment(layout)
    layout.servicePort(after, node, fragment)
    for (const [name, set] of fragment.sets) commands.push({ verb: 'add', object: { kind: 'set', name, ...set } })
    for (const [name, { rules }] of fragment.chains) {
      commands.push({ verb: 'add', object: { kind: 'chain', name } }, { verb: 'flush', object: { kind: 'chain', name } })
      for (const text of rules) commands.push({ verb: 'add', object: { kind: 'rule', chain: name, text } })
    }
  }
  const names = (wanted: Command['verb'], kind: 'chain' | 'set'): Set<string> =>
    new Set(operations.flatMap(({ verb, object }) => (verb === wanted && object.kind === kind ? [object.name] : [])))
  const [goneChains, addedSets] = [names('delete', 'chain'), names('add', 'set')]
  for (const { verb, object } of operations) {
    const goneSet = object.kind === 'set' && verb === 'delete' && !addedSets.has(object.name)
    const goneChain = object.kind === 'chain' && verb === 'flush' && goneChains.has(object.name)
    if (object.kind === 'element' || goneSet || goneChain) commands.push({ verb, object })
  }
  return commands
}
