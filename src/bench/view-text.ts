import { styleText } from 'node:util'
import { type Comparison, comparisonKey } from './baseline.ts'
import { bytes, count, duration, durationOr } from './format.ts'
import type { BenchReport, BenchResult } from './report.ts'
import { UPDATE_TITLES } from './update-titles.ts'
import { UPDATE_NAMES, type UpdateName } from './updates.ts'

const BAR_WIDTH = 20

interface Row {
  readonly layout: string
  /** Length of the bar; null: no bar. */
  readonly value: number | null
  /** A bar that goes on beyond its end. */
  readonly over: boolean
  readonly cells: readonly string[]
  readonly figure: string
}

/**
 * A report for a terminal: a table for each figure and size, a bar a layout, each with a scale of its own. With a baseline, figures that changed
 * beyond the noise carry the factor.
 */
export function renderText(report: BenchReport, comparison: Comparison | undefined, color: boolean): string {
  const { host, results, notes } = report
  const bold = (text: string): string => (color ? styleText('bold', text, { validateStream: false }) : text)
  const lines = [
    `Linux ${host.kernel}, ${host.nft ?? 'without nft'}, Node ${host.node}, ${host.cpus} × ${host.cpu}`,
    `${report.rounds} rounds, in each of which the layouts take turns; up to ${duration(report.budgetMs)} a measurement`,
    '',
  ]
  for (const { services, endpoints } of sizesOf(results)) {
    const here = results.filter(result => result.services === services && result.endpoints === endpoints)
    lines.push(bold(`${count(services)} services × ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`))
    for (const { title, columns, row } of TABLES) {
      const rows = here.map(row)
      if (rows.every(({ cells }) => cells.every(cell => cell === '-'))) continue
      lines.push('', ...table(title, columns, rows, here, comparison, color))
    }
    lines.push('')
  }
  lines.push(...notes.map(note => `Note: ${note}`))
  if (comparison !== undefined) lines.push(...comparison.notes.map(note => `Baseline: ${note}`))
  return `${lines.join('\n').trimEnd()}\n`
}

interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly row: (result: BenchResult) => Row
}

const TABLES: readonly Table[] = [
  {
    title: 'compile',
    columns: ['time', 'script'],
    row: ({ layout, compileMs, scriptBytes }) => ({
      layout,
      value: compileMs,
      over: false,
      cells: [duration(compileMs), bytes(scriptBytes)],
      figure: 'compileMs',
    }),
  },
  {
    title: 'full load',
    columns: ['time', 'user', 'kernel', 'peak memory'],
    row: ({ layout, loadMs, loadOverMs, loadCpuMs, nftPeakBytes }) => ({
      layout,
      value: loadMs ?? loadOverMs ?? null,
      over: loadOverMs !== undefined,
      cells: [durationOr(loadMs, loadOverMs), ...cpu(loadCpuMs), nftPeakBytes === null ? '-' : bytes(nftPeakBytes)],
      figure: 'loadMs',
    }),
  },
  ...UPDATE_NAMES.map(updateTable),
  {
    title: 'restart: state from the live table, nothing to do',
    columns: ['time'],
    row: ({ layout, restartMs }) => ({
      layout,
      value: restartMs,
      over: false,
      cells: [durationOr(restartMs, undefined)],
      figure: 'restartMs',
    }),
  },
  {
    title: 'resident state',
    columns: ['memory', 'a service'],
    row: ({ layout, residentBytes, services }) => ({
      layout,
      value: residentBytes,
      over: false,
      cells: residentBytes === null ? ['-', '-'] : [bytes(residentBytes), bytes(residentBytes / services)],
      figure: 'residentBytes',
    }),
  },
  {
    title: 'TCP connections through a cluster IP',
    columns: ['a second'],
    row: ({ layout, connectionsPerSecond }) => ({
      layout,
      value: connectionsPerSecond,
      over: false,
      cells: [connectionsPerSecond === null ? '-' : count(connectionsPerSecond)],
      figure: 'connectionsPerSecond',
    }),
  },
]

function updateTable(name: UpdateName): Table {
  return {
    title: UPDATE_TITLES[name],
    columns: ['p50', 'p90', 'p99', 'compute', 'apply', 'user', 'kernel', 'resident nft', 'p99', 'operations'],
    row({ layout, update }) {
      const result = update[name]
      const { totalMs, computeMs, applyMs, applyOverMs, applyCpuMs, sessionMs, operations } = result ?? {}
      const ms = (value: number | undefined): string => (value === undefined ? '-' : duration(value))
      return {
        layout,
        value: totalMs?.p50 ?? applyOverMs ?? null,
        over: applyOverMs !== undefined,
        cells: [
          durationOr(totalMs?.p50 ?? null, applyOverMs),
          ms(totalMs?.p90),
          ms(totalMs?.p99),
          ms(computeMs?.p50),
          ms(applyMs?.p50),
          ...cpu(applyCpuMs ?? null),
          ms(sessionMs?.p50),
          ms(sessionMs?.p99),
          operations === undefined ? '-' : count(operations),
        ],
        figure: `update.${name}.applyMs`,
      }
    },
  }
}

function cpu(parts: BenchResult['loadCpuMs']): [string, string] {
  return parts === null ? ['-', '-'] : [duration(parts.user), duration(parts.system)]
}

function sizesOf(results: readonly BenchResult[]): { services: number; endpoints: number }[] {
  const sizes = new Map(results.map(({ services, endpoints }) => [`${services} × ${endpoints}`, { services, endpoints }]))
  return [...sizes.values()]
}

function table(
  title: string,
  columns: readonly string[],
  rows: readonly Row[],
  results: readonly BenchResult[],
  comparison: Comparison | undefined,
  color: boolean,
): string[] {
  const nameWidth = Math.max(title.length, ...rows.map(({ layout }) => layout.length + 2))
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map(({ cells }) => cells[i]!.length)))
  const largest = Math.max(...rows.map(({ value }) => value ?? 0))
  const cellsOf = (cells: readonly string[]): string => cells.map((cell, i) => cell.padStart(widths[i]!)).join('  ')
  return [
    `${title.padEnd(nameWidth)}  ${cellsOf(columns)}`,
    ...rows.map(({ layout, cells, value, over, figure }, i) => {
      const change = comparison?.changes.get(comparisonKey(results[i]!, figure))
      const mark = change === undefined ? '' : `  ${change.better ? 'better' : 'worse'} ×${change.factor.toFixed(2)}`
      const painted = color && change !== undefined ? styleText(change.better ? 'green' : 'red', mark, { validateStream: false }) : mark
      return `  ${layout.padEnd(nameWidth - 2)}  ${cellsOf(cells)}  ${bar(value, largest, over)}${painted}`.trimEnd()
    }),
  ]
}

function bar(value: number | null, largest: number, over: boolean): string {
  if (value === null || largest === 0) return ''
  const eighths = Math.max(1, Math.round((value / largest) * BAR_WIDTH * 8))
  const text = '█'.repeat(Math.floor(eighths / 8)) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8]
  return over ? `${text}▶` : text
}
