import { type IpvsOperation, IpvsState, printCommand, printCommands, renderIpvs } from '../../ipvs/index.ts'
import { iptables } from './iptables.ts'
import { type Mode, textsJson } from './mode.ts'

export const ipvs: Mode<IpvsOperation> = {
  name: 'ipvs',
  form: 'ipvs',
  output: 'commands',
  render: (node, views) => ({ ...renderIpvs(node, views) }),
  json: families => textsJson(ipvs, families),
  createState: cluster => new IpvsState(cluster),
  print: printCommands,
  kindOf: operation => (operation.verb === 'restore' ? iptables.kindOf(operation.operation) : `${operation.verb} ${operation.object.kind}`),
  describe: (operation, family) =>
    operation.verb === 'restore'
      ? iptables.describe(operation.operation, family)
      : { verb: operation.verb, object: operation.object, command: printCommand(operation, family) },
}
