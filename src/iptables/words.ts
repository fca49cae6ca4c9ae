import type { LocalDetector } from '../model/types.ts'

/** kube-proxy's counters: packets dropped for an invalid connection state, and node port packets to a loopback address. */
export const INVALID_COUNTER = 'ct_state_invalid_dropped_pkts'
export const LOCALHOST_COUNTER = 'localhost_nps_accepted_pkts'

/** Texts are made of validated names and constants: nothing in them needs escaping. */
export function comment(text: string): string {
  return `-m comment --comment "${text}"`
}

/** The match for traffic of local pods, to be negated with `! ` in front; undefined when it cannot be told. */
export function localMatch(detector: LocalDetector): string | undefined {
  switch (detector.kind) {
    case 'none':
      return undefined
    case 'cidr':
      return `-s ${detector.cidr}`
    case 'bridge':
      return `-i ${detector.interfaceName}`
    case 'prefix':
      return `-i ${detector.prefix}+`
  }
}

/**
 * The share of packets that one of the last `count` rules takes, as Go's `%0.10f` prints it. Of all quotients only 1/2048 lies exactly between
 * two texts: Go then rounds to the even digit, JavaScript up.
 */
export function probability(count: number): string {
  return count === 2048 ? '0.0004882812' : (1 / count).toFixed(10)
}
