import { type IptablesOperation, IptablesState, printRestore, renderIptables } from '../../iptables/index.ts'
import { type Mode, textsJson } from './mode.ts'

export const iptables: Mode<IptablesOperation> = {
  name: 'iptables',
  form: 'iptables',
  output: 'restore',
  render: (node, views) => ({ iptables: renderIptables(node, views) }),
  json: families => textsJson(iptables, families),
  createState: cluster => new IptablesState(cluster),
  print: (operations, _family, explain) => printRestore(operations, ({ origins }) => explain(origins)),
  kindOf: ({ verb, table }) => `${verb} ${table} chain`,
  describe: ({ verb, table, chain, rules }) => ({ verb, table, chain, rules }),
}
