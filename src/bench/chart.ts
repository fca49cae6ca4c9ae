/** Charts as SVG text. Colours are classes (`s0` to `s4`) of the page that holds them. */

const WIDTH = 640
const HEIGHT = 340
const MARGIN = { top: 12, right: 20, bottom: 40, left: 74 }

/** Text for HTML and SVG, in elements and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

export interface Point {
  readonly x: number
  readonly y: number
  /** Drawn as an arrow upwards: the value is larger than what is drawn. */
  readonly over: boolean
}

export interface Series {
  readonly name: string
  /** Number of its colour. */
  readonly color: number
  readonly points: readonly Point[]
}

type Format = (value: number) => string

/** A position for each value on a logarithmic axis, with a tick at each power of ten and, on short axes, at 2 and 5 times one. */
interface Axis {
  readonly ticks: readonly number[]
  at(value: number): number
}

function logAxis(values: readonly number[], from: number, to: number): Axis {
  const low = Math.log10(Math.min(...values))
  const high = Math.log10(Math.max(...values))
  const pad = Math.max(0.08, (high - low) * 0.06)
  const [min, max] = [low - pad, high + pad]
  const steps = max - min > 2.5 ? [1] : [1, 2, 5]
  const ticks: number[] = []
  for (let power = Math.floor(min); power <= max; power++) {
    for (const step of steps) {
      const tick = step * 10 ** power
      if (Math.log10(tick) >= min && Math.log10(tick) <= max) ticks.push(tick)
    }
  }
  return { ticks, at: value => from + ((Math.log10(value) - min) / (max - min)) * (to - from) }
}

/**
 * Lines over sizes, with their names in the corner that lines that rise leave free. Both axes are logarithmic: a straight line is a power, its slope
 * the exponent. Empty without a point.
 */
export function lineChart(label: string, series: readonly Series[], xTitle: string, formatX: Format, formatY: Format): string {
  const points = series.flatMap(one => one.points)
  if (points.length === 0) return ''
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const x = logAxis(xs, MARGIN.left, WIDTH - MARGIN.right)
  const y = logAxis(
    points.map(point => point.y),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  )
  const parts = y.ticks.map(
    tick =>
      `<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${round(y.at(tick))}" y2="${round(y.at(tick))}"/>` +
      `<text class="tick" text-anchor="end" x="${MARGIN.left - 8}" y="${round(y.at(tick) + 4)}">${escapeHtml(formatY(tick))}</text>`,
  )
  for (const value of xs)
    parts.push(
      `<text class="tick" text-anchor="middle" x="${round(x.at(value))}" y="${HEIGHT - MARGIN.bottom + 18}">${escapeHtml(formatX(value))}</text>`,
    )
  parts.push(
    `<text class="tick" text-anchor="middle" x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 4}">${escapeHtml(xTitle)}</text>`,
  )
  for (const { name, color, points: own } of series) {
    const path = own.map(point => `${round(x.at(point.x))},${round(y.at(point.y))}`).join(' ')
    parts.push(`<polyline class="line s${color}" points="${path}"/>`)
    for (const point of own) parts.push(mark(point, x.at(point.x), y.at(point.y), color, name, formatX, formatY))
  }
  for (const [i, { name, color }] of series.entries()) {
    const row = MARGIN.top + 14 + i * 18
    parts.push(
      `<circle class="dot s${color}" cx="${MARGIN.left + 12}" cy="${row - 4}" r="4"/>`,
      `<text class="name" x="${MARGIN.left + 22}" y="${row}">${escapeHtml(name)}</text>`,
    )
  }
  return svg(label, HEIGHT, parts)
}

function mark(point: Point, x: number, y: number, color: number, name: string, formatX: Format, formatY: Format): string {
  const title = `<title>${escapeHtml(`${name}, ${formatX(point.x)}: ${point.over ? 'over ' : ''}${formatY(point.y)}`)}</title>`
  if (!point.over) return `<circle class="dot s${color}" cx="${round(x)}" cy="${round(y)}" r="4">${title}</circle>`
  return `<path class="dot s${color}" d="M${round(x - 6)} ${round(y + 4)}L${round(x)} ${round(y - 7)}L${round(x + 6)} ${round(y + 4)}Z">${title}</path>`
}

export interface Range {
  readonly name: string
  readonly color: number
  readonly low: number
  readonly middle: number
  readonly high: number
  readonly title: string
}

/** One bar a row from `low` to `high`, a tick at `middle`, on one logarithmic axis. Empty without a row. */
export function rangeChart(label: string, ranges: readonly Range[], format: Format): string {
  if (ranges.length === 0) return ''
  const rowHeight = 26
  const left = 190
  const height = MARGIN.top + ranges.length * rowHeight + 28
  const axis = logAxis(
    ranges.flatMap(({ low, high }) => [low, high]),
    left,
    WIDTH - MARGIN.right,
  )
  const bottom = height - 24
  const parts = axis.ticks.map(
    tick =>
      `<line class="grid" x1="${round(axis.at(tick))}" x2="${round(axis.at(tick))}" y1="${MARGIN.top}" y2="${bottom}"/>` +
      `<text class="tick" text-anchor="middle" x="${round(axis.at(tick))}" y="${bottom + 16}">${escapeHtml(format(tick))}</text>`,
  )
  for (const [i, { name, color, low, middle, high, title }] of ranges.entries()) {
    const y = MARGIN.top + i * rowHeight + 5
    const start = axis.at(low)
    parts.push(
      `<text class="tick" text-anchor="end" x="${left - 8}" y="${y + 12}">${escapeHtml(name)}</text>`,
      `<rect class="bar s${color}" x="${round(start)}" y="${y}" width="${round(Math.max(3, axis.at(high) - start))}" height="16" rx="3"><title>${escapeHtml(title)}</title></rect>`,
      `<line class="middle" x1="${round(axis.at(middle))}" x2="${round(axis.at(middle))}" y1="${y - 2}" y2="${y + 18}"/>`,
    )
  }
  return svg(label, height, parts)
}

function svg(label: string, height: number, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(label)}">${parts.join('')}</svg>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
