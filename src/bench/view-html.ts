import { CANDIDATE_NAMES } from './candidates.ts'
import { escapeHtml, lineChart, type Point, type Range, rangeChart, type Series } from './chart.ts'
import { bytes, count, duration, durationOr } from './format.ts'
import { PAGE_STYLE } from './page-style.ts'
import type { BenchReport, BenchResult } from './report.ts'
import { UPDATE_TITLES } from './update-titles.ts'
import { UPDATE_NAMES, type UpdateName } from './updates.ts'

/** A report as one page that needs nothing else: charts as SVG, light or dark as the reader's system is. */
export function renderHtml({ host, rounds, budgetMs, results, notes }: BenchReport): string {
  const sizes = [...new Set(results.map(sizeTitle))]
  const body = [
    '<h1>kubenft bench</h1>',
    paragraph(
      `Linux ${host.kernel}, ${host.nft ?? 'without nft'}, Node ${host.node}, ${host.cpus} × ${host.cpu}. ${rounds} rounds, in each of which the layouts take turns; up to ${duration(budgetMs)} a measurement, a triangle stands for one that was stopped there.`,
    ),
    legend(results),
    section('Full load', loadChart(results)),
    section(
      'Compile',
      overSizes(results, 'Time from objects to text over the number of services', ({ compileMs }) => ({ y: compileMs, over: false })),
    ),
    ...sizes.map(size => latencies(size, results)),
    '<h2>Figures</h2>',
    ...sizes.map(size => figures(size, results)),
    ...notes.map(paragraph),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>kubenft bench</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${body.filter(part => part !== '').join('\n')}
</body>
</html>
`
}

/** Time of a full load over the number of services, as SVG whose colours are classes of `PAGE_STYLE`; empty without a load. */
export function loadChart(results: readonly BenchResult[]): string {
  return overSizes(results, 'Time of a full load over the number of services', ({ loadMs, loadOverMs }) =>
    loadMs === null ? over(loadOverMs) : { y: loadMs, over: false },
  )
}

function sizeTitle({ services, endpoints }: BenchResult): string {
  return `${count(services)} services × ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

function section(title: string, chart: string): string {
  return chart === '' ? '' : `<h2>${escapeHtml(title)}</h2>\n${chart}`
}

function colorOf({ layout }: BenchResult): number {
  return CANDIDATE_NAMES.indexOf(layout)
}

function legend(results: readonly BenchResult[]): string {
  const layouts = new Map(results.map(result => [result.layout, colorOf(result)]))
  const items = [...layouts].map(([name, color]) => `<li><span class="swatch s${color}"></span>${escapeHtml(name)}</li>`)
  return `<ul class="legend">${items.join('')}</ul>`
}

function over(ms: number | undefined): Omit<Point, 'x'> | undefined {
  return ms === undefined ? undefined : { y: ms, over: true }
}

function overSizes(results: readonly BenchResult[], label: string, value: (result: BenchResult) => Omit<Point, 'x'> | undefined): string {
  const series = new Map<string, Series & { readonly points: Point[] }>()
  for (const result of results) {
    const point = value(result)
    if (point === undefined || point.y <= 0) continue
    const one = series.get(result.layout) ?? { name: result.layout, color: colorOf(result), points: [] }
    series.set(result.layout, one)
    one.points.push({ x: result.services, ...point })
  }
  for (const { points } of series.values()) points.sort((a, b) => a.x - b.x)
  return lineChart(label, [...series.values()], 'services', count, duration)
}

function latencies(size: string, results: readonly BenchResult[]): string {
  const here = results.filter(result => sizeTitle(result) === size)
  const charts = UPDATE_NAMES.map(name => {
    const chart = rangeChart(
      `${UPDATE_TITLES[name]}, ${size}`,
      here.flatMap(result => ranges(result, name)),
      duration,
    )
    return chart === '' ? '' : `<h3>${escapeHtml(UPDATE_TITLES[name])}</h3>\n${chart}`
  })
  if (charts.every(chart => chart === '')) return ''
  return [
    `<h2>Updates, ${escapeHtml(size)}</h2>`,
    paragraph('From the changed objects to the rules in the kernel: p50 to p99, a mark at p90.'),
    ...charts,
  ].join('\n')
}

function ranges(result: BenchResult, name: UpdateName): Range[] {
  const { layout, update } = result
  const { totalMs, sessionMs } = update[name] ?? {}
  const rows = [
    { name: layout, times: totalMs },
    { name: `${layout}, resident nft`, times: sessionMs },
  ]
  return rows.flatMap(({ name: rowName, times }) =>
    times
      ? [
          {
            name: rowName,
            color: colorOf(result),
            low: times.p50,
            middle: times.p90,
            high: times.p99,
            title: `${rowName}: p50 ${duration(times.p50)}, p90 ${duration(times.p90)}, p99 ${duration(times.p99)}`,
          },
        ]
      : [],
  )
}

function figures(size: string, results: readonly BenchResult[]): string {
  const here = results.filter(result => sizeTitle(result) === size)
  const header = [
    'layout',
    'compile',
    'full load',
    'one endpoint replaced p50',
    'p99',
    'restart',
    'state a service',
    'peak of the load',
    'connections a second',
  ]
  const rows = here.map(result => {
    const { layout, compileMs, loadMs, loadOverMs, update, restartMs, residentBytes, nftPeakBytes, connectionsPerSecond, services } = result
    const { totalMs, applyOverMs } = update.endpointReplaced ?? {}
    return [
      layout,
      duration(compileMs),
      durationOr(loadMs, loadOverMs),
      durationOr(totalMs?.p50 ?? null, applyOverMs),
      durationOr(totalMs?.p99 ?? null, applyOverMs),
      durationOr(restartMs, undefined),
      residentBytes === null ? '-' : bytes(residentBytes / services),
      nftPeakBytes === null ? '-' : bytes(nftPeakBytes),
      connectionsPerSecond === null ? '-' : count(connectionsPerSecond),
    ]
  })
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map(cell => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return [
    `<h3>${escapeHtml(size)}</h3>`,
    '<div class="scroll"><table>',
    `<thead>${line(header, 'th')}</thead>`,
    `<tbody>${rows.map(row => line(row, 'td')).join('')}</tbody>`,
    '</table></div>',
  ].join('\n')
}
