import type { Operation } from '../../delta/operation.ts'
import { RulesetState } from '../../delta/ruleset-state.ts'
import { tableCommands } from '../../nft/commands.ts'
import { jsonDocument, jsonLines } from '../../nft/json/print.ts'
import type { Layout } from '../../nft/layouts/layout.ts'
import { printCommand } from '../../nft/print.ts'
import { fullFragment, renderTable } from '../../nft/render.ts'
import type { Mode } from './mode.ts'

export function nftables(layout: Layout): Mode<Operation> {
  const { name: form, table, tableComment } = layout
  return {
    name: 'nftables',
    form,
    output: 'nft',
    render: (node, views) => ({ nft: renderTable(layout, node, views) }),
    json: families =>
      jsonDocument(
        families.flatMap(({ node, views }) =>
          jsonLines(tableCommands(fullFragment(layout, node, views), tableComment), { family: node.family, table }),
        ),
      ),
    createState: cluster => new RulesetState(layout, cluster),
    print(operations, family, explain) {
      let text = ''
      let reasons = ''
      for (const operation of operations) {
        const next = explain(operation.origins)
          .map(line => `# ${line}\n`)
          .join('')
        if (next !== reasons) text += next
        reasons = next
        text += `${printCommand(operation, { family, table })}\n`
      }
      return text
    },
    kindOf: ({ verb, object }) => `${verb} ${object.kind}`,
    describe: (operation, family) => ({
      verb: operation.verb,
      object: operation.object,
      command: printCommand(operation, { family, table }),
    }),
  }
}
