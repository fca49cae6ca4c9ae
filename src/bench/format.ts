/** Milliseconds in three digits with the unit that suits: `0.25 ms`, `12.3 ms`, `1.30 s`. */
export function duration(ms: number): string {
  return ms < 999.5 ? `${digits(ms)} ms` : `${digits(ms / 1000)} s`
}

/** Bytes in three digits: `812 KiB`, `4.21 MiB`. */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  const power = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log2(value) / 10))
  return `${digits(value / 1024 ** power)} ${units[power]}`
}

/** A count with its thousands set apart: `44,000`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** A time that may be missing or over the budget. */
export function durationOr(ms: number | null, overMs: number | undefined): string {
  if (ms !== null) return duration(ms)
  return overMs === undefined ? '-' : `over ${duration(overMs).replace('.0 s', ' s').replace('.00 s', ' s')}`
}

function digits(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 0.1 || value === 0 ? 2 : 3)
}
