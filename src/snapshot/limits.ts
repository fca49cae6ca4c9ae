/** How much input is read before it is refused: a snapshot is untrusted, and a small gzip file can hold terabytes. */
export interface Limits {
  /** Bytes of all inputs together, after decompression: a cluster of 100,000 services. YAML takes about six times as much memory while it is read. */
  readonly totalBytes: number
  /** Errors and warnings that are kept; of the rest only the number is said. */
  readonly problems: number
}

export const DEFAULT_LIMITS: Limits = {
  totalBytes: 512 * 1024 ** 2,
  problems: 1000,
}
