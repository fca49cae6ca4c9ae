import { styleText } from 'node:util'
import { createTwoFilesPatch } from 'diff'
import { because } from '../../delta/explain.ts'
import type { Transaction } from '../../delta/node-rules.ts'
import { countByKind, type Size, servicesTouched, sizeOf } from '../../delta/statistics.ts'
import { printCommand } from '../../nft/print.ts'
import { type Comparison, type Difference, sum } from '../difference.ts'

/** The transactions as one nft script. With `explain`, each group of commands has its reasons above it. */
export function nftView({ transactions }: Difference, explain: boolean): string {
  let text = ''
  for (const transaction of transactions) {
    let reason = ''
    for (const operation of transaction.operations) {
      const next = explain
        ? because(operation.origins)
            .map(line => `# ${line}\n`)
            .join('')
        : ''
      if (next !== reason) text += next
      reason = next
      text += `${printCommand(operation, transaction)}\n`
    }
  }
  return text
}

/** A unified diff of the full texts. */
export function unifiedView({ textBefore, textAfter }: Difference, color: boolean): string {
  let text = ''
  for (const family of new Set([...textBefore.keys(), ...textAfter.keys()])) {
    const [before, after] = [textBefore.get(family) ?? '', textAfter.get(family) ?? '']
    if (before === after) continue
    const patch = createTwoFilesPatch(`old/${family}.nft`, `new/${family}.nft`, before, after, '', '', { context: 3 })
    text += patch.replace(/^=+\n/, '')
  }
  return color ? text.replace(/^.*$/gm, colorLine) : text
}

function colorLine(line: string): string {
  const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : line.startsWith('@@') ? 'cyan' : undefined
  return style === undefined ? line : styleText(style, line, { validateStream: false })
}

/** A table of what the change is, and what it would be in other ways. */
export function statView({ transactions, layout }: Difference, { kubeProxyPartialSync, fullReload }: Comparison): string {
  const operations = transactions.flatMap(transaction => transaction.operations)
  const services = servicesTouched(operations)
  const rows: (readonly [string, Size])[] = [
    [`this change (${layout.name})`, sum(transactions.map(transaction => sizeOf(transaction.operations, transaction)))],
    ['kube-proxy 1.36 partial sync', kubeProxyPartialSync],
    [`full reload (${layout.name})`, fullReload],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const line = (name: string, count: string, bytes: string): string =>
    `${name.padEnd(width)}  ${count.padStart(10)}  ${bytes.padStart(12)}\n`
  const kinds = Object.entries(countByKind(operations)).map(([kind, count]) => `${count} ${kind}`)
  return [
    `${services.length} service${services.length === 1 ? '' : 's'} touched${services.length > 0 ? `: ${services.slice(0, 10).join(', ')}${services.length > 10 ? ', …' : ''}` : ''}\n`,
    `operations: ${kinds.length > 0 ? kinds.join(', ') : 'none'}\n\n`,
    line('', 'operations', 'bytes'),
    ...rows.map(([name, size]) => line(name, String(size.operations), String(size.bytes))),
  ].join('')
}

/** Everything as JSON; `because` says why each operation is there. */
export function jsonView({ transactions, layout }: Difference, comparison: Comparison): string {
  const all = transactions.flatMap(transaction => transaction.operations)
  const document = {
    apiVersion: 'kubenft/v1',
    kind: 'Diff',
    layout: layout.name,
    different: all.length > 0,
    transactions: transactions.map(transactionJSON),
    statistics: {
      servicesTouched: servicesTouched(all),
      byKind: countByKind(all),
      ...sum(transactions.map(transaction => sizeOf(transaction.operations, transaction))),
      ...comparison,
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function transactionJSON(transaction: Transaction): object {
  const { family, table, operations } = transaction
  return {
    family,
    table,
    operations: operations.map(operation => ({
      verb: operation.verb,
      object: operation.object,
      command: printCommand(operation, transaction),
      because: because(operation.origins),
    })),
  }
}
