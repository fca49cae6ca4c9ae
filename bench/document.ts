import { readFileSync, writeFileSync } from 'node:fs'
import { readBaseline } from '../src/bench/baseline.ts'
import { bytes, count, duration, durationOr } from '../src/bench/format.ts'
import { PAGE_STYLE } from '../src/bench/page-style.ts'
import type { BenchReport, BenchResult } from '../src/bench/report.ts'
import { UPDATE_TITLES } from '../src/bench/update-titles.ts'
import { UPDATE_NAMES } from '../src/bench/updates.ts'
import { loadChart } from '../src/bench/view-html.ts'

/**
 * Puts the figures of a report into docs/performance.md, between its two markers, and its chart beside it:
 *
 *     kubenft bench --large -o json >report.json && npx tsx bench/document.ts report.json
 */
const DOCUMENT = new URL('../docs/performance.md', import.meta.url)
const CHART = new URL('../docs/performance-load.svg', import.meta.url)
const START = '<!-- figures: made by bench/document.ts -->'
const END = '<!-- end of figures -->'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Give the JSON of a report.')
const report = readBaseline(file)
const text = readFileSync(DOCUMENT, 'utf8')
const [start, end] = [text.indexOf(START), text.indexOf(END)]
if (start < 0 || end < start) throw new Error(`docs/performance.md lacks ${START} and ${END}.`)
writeFileSync(DOCUMENT, `${text.slice(0, start + START.length)}\n\n${figures(report)}\n\n${text.slice(end)}`)
writeFileSync(CHART, standalone(loadChart(report.results)))

function figures({ host, rounds, budgetMs, results, notes }: BenchReport): string {
  const sizes = [...new Set(results.map(sizeTitle))]
  return [
    `Linux ${host.kernel}, ${host.nft ?? 'without nft'}, Node ${host.node}, ${host.cpus} × ${host.cpu}, ${bytes(host.memoryBytes)} of memory. ${rounds} rounds, in each of which the layouts take turns; at most ${duration(budgetMs)} a measurement.`,
    ...sizes.flatMap(size => {
      const here = results.filter(result => sizeTitle(result) === size)
      return [
        `### ${size}`,
        markdownTable(
          [
            'layout',
            'compile',
            'script',
            'full load',
            'of it user',
            'kernel',
            'restart',
            'state a service',
            'peak of nft',
            'connections a second',
          ],
          here.map(wholeRow),
        ),
        'Updates, p50 / p99, from the changed objects to the end of `nft -f`; in brackets p50 / p99 by a resident `nft -i`:',
        markdownTable(['layout', ...UPDATE_NAMES.map(name => UPDATE_TITLES[name])], here.map(updateRow)),
      ]
    }),
    ...notes,
  ].join('\n\n')
}

function sizeTitle({ services, endpoints }: BenchResult): string {
  return `${count(services)} services × ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`
}

function wholeRow(result: BenchResult): string[] {
  const { layout, compileMs, scriptBytes, loadMs, loadOverMs, loadCpuMs, restartMs, residentBytes, nftPeakBytes, services } = result
  const size = (value: number | null): string => (value === null ? '-' : bytes(value))
  return [
    layout,
    duration(compileMs),
    bytes(scriptBytes),
    durationOr(loadMs, loadOverMs),
    loadCpuMs === null ? '-' : duration(loadCpuMs.user),
    loadCpuMs === null ? '-' : duration(loadCpuMs.system),
    durationOr(restartMs, undefined),
    size(residentBytes === null ? null : residentBytes / services),
    size(nftPeakBytes),
    result.connectionsPerSecond === null ? '-' : count(result.connectionsPerSecond),
  ]
}

function updateRow({ layout, update }: BenchResult): string[] {
  const pair = (times: { readonly p50: number; readonly p99: number }): string => `${duration(times.p50)} / ${duration(times.p99)}`
  return [
    layout,
    ...UPDATE_NAMES.map(name => {
      const { totalMs = null, sessionMs = null, applyOverMs } = update[name] ?? {}
      if (totalMs === null) return durationOr(null, applyOverMs)
      return sessionMs === null ? pair(totalMs) : `${pair(totalMs)} (${pair(sessionMs)})`
    }),
  ]
}

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

/** A chart as a file of its own, light or dark as the reader's system is. */
function standalone(svg: string): string {
  return `${svg.replace(/^<svg ([^>]*)>/, `<svg xmlns="http://www.w3.org/2000/svg" $1><style>${PAGE_STYLE}svg { background: var(--back); }</style>`)}\n`
}
