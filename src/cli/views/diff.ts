import { styleText } from 'node:util'
import { createTwoFilesPatch } from 'diff'
import { because } from '../../delta/explain.ts'
import { countByKind, type Size, servicesTouched, sum } from '../../delta/statistics.ts'
import type { Comparison, Difference } from '../difference.ts'

/** The change as its tool takes it, one family after the other. With `explain`, each group of commands has its reasons above it. */
export function commandsView({ mode, commits }: Difference, explain: boolean): string {
  return commits.map(({ operations, family }) => mode.print(operations, family, explain ? because : () => [])).join('')
}

/** A unified diff of the full texts. */
export function unifiedView({ textBefore, textAfter }: Difference, color: boolean): string {
  let text = ''
  for (const file of new Set([...textBefore.keys(), ...textAfter.keys()])) {
    const [before, after] = [textBefore.get(file) ?? '', textAfter.get(file) ?? '']
    if (before === after) continue
    const patch = createTwoFilesPatch(`old/${file}`, `new/${file}`, before, after, '', '', { context: 3 })
    text += patch.replace(/^=+\n/, '')
  }
  return color ? text.replace(/^.*$/gm, colorLine) : text
}

function colorLine(line: string): string {
  const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : line.startsWith('@@') ? 'cyan' : undefined
  return style === undefined ? line : styleText(style, line, { validateStream: false })
}

/** A table of what the change is, and what it would be in other ways. */
export function statView(difference: Difference, { kubeProxyPartialSync, fullReload }: Comparison): string {
  const { mode } = difference
  const { services, kinds, size } = statistics(difference)
  const rows: (readonly [string, Size])[] = [[`this change (${mode.form})`, size]]
  if (kubeProxyPartialSync !== undefined) rows.push(['kube-proxy 1.36 partial sync', kubeProxyPartialSync])
  rows.push([`full reload (${mode.form})`, fullReload])
  const width = Math.max(...rows.map(([name]) => name.length))
  const line = (name: string, count: string, bytes: string): string =>
    `${name.padEnd(width)}  ${count.padStart(10)}  ${bytes.padStart(12)}\n`
  const counts = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`)
  return [
    `${services.length} service${services.length === 1 ? '' : 's'} touched${services.length > 0 ? `: ${services.slice(0, 10).join(', ')}${services.length > 10 ? ', …' : ''}` : ''}\n`,
    `operations: ${counts.length > 0 ? counts.join(', ') : 'none'}\n\n`,
    line('', 'operations', 'bytes'),
    ...rows.map(([name, { operations, bytes }]) => line(name, String(operations), String(bytes))),
  ].join('')
}

/** Everything as JSON; `because` says why each operation is there. */
export function jsonView(difference: Difference, comparison: Comparison): string {
  const { mode, commits } = difference
  const { services, kinds, size } = statistics(difference)
  const document = {
    apiVersion: 'kubenft/v1',
    kind: 'Diff',
    mode: mode.name,
    layout: mode.form,
    different: size.operations > 0,
    transactions: commits.map(({ family, operations }) => ({
      family,
      operations: operations.map(operation => ({ ...mode.describe(operation, family), because: because(operation.origins) })),
    })),
    statistics: { servicesTouched: services, byKind: kinds, ...size, ...comparison },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function statistics({ mode, commits }: Difference): { services: readonly string[]; kinds: Record<string, number>; size: Size } {
  const operations = commits.flatMap(commit => commit.operations)
  return {
    services: servicesTouched(operations),
    kinds: countByKind(operations.map(mode.kindOf)),
    size: sum(
      commits.map(commit => ({
        operations: commit.operations.length,
        bytes: Buffer.byteLength(mode.print(commit.operations, commit.family, () => [])),
      })),
    ),
  }
}
