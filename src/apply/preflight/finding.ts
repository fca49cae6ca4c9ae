/**
 * One thing that preflight looked at. `error`: applying would fail, or the traffic would go wrong; `warning`: some traffic may; `ok`: as it has to be.
 */
export interface Finding {
  /** Stable name of the check, such as `nft-version` or `sysctl-ip-forward`. */
  readonly id: string
  readonly severity: 'error' | 'warning' | 'ok'
  /** What was found, in one sentence. */
  readonly what: string
  /** Why it matters. */
  readonly why: string
  /** What to do about it; absent when all is well. */
  readonly action?: string
}
