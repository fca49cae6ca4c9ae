/** Percentiles of a measurement, in its unit. */
export interface Percentiles {
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

/** Nearest-rank percentiles: each is a value that was measured. @throws RangeError without values. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (share: number): number => {
    const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
    if (value === undefined) throw new RangeError('no values')
    return value
  }
  return { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99) }
}

/** The middle value (the lower one of two). @throws RangeError without values. */
export function median(values: readonly number[]): number {
  return percentiles(values).p50
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
