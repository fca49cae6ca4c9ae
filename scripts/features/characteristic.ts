import type { Thing } from './modes.ts'

/** A thing without names, addresses and numbers that could as well be others; both families look alike. */
export function shapeOf({ kind, text }: Thing): string {
  const shape = text
    .replaceAll(/[A-Z2-7]{8}-[a-z0-9-]+\/\S*/g, 'NAME')
    .replaceAll(/KUBE-(SVC|SVL|EXT|FW|SEP)-[A-Z2-7]{16}/g, 'KUBE-$1')
    .replaceAll('KUBE-6-', 'KUBE-')
    .replaceAll(/\bip6\b/g, 'ip')
    .replaceAll('ipv6_addr', 'ipv4_addr')
    .replaceAll(/[a-z0-9-]+\/[a-z][a-z0-9-]*(?::[a-z0-9-]+)?(?= |")/g, 'SERVICE')
    .replaceAll(/\[?(?:\d+\.\d+\.\d+\.\d+|[0-9a-f]*:[0-9a-f:]*:[0-9a-f:]*)\]?(?:\/\d+)?(?::\d+)?/g, 'ADDRESS')
    .replaceAll(/\b\d{2,}\b/g, 'NUMBER')
  return `${kind} ${shape}`
}

/** How many of the cases have a thing of each shape. */
export function frequencies(cases: readonly (readonly Thing[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const things of cases) for (const shape of new Set(things.map(shapeOf))) counts.set(shape, (counts.get(shape) ?? 0) + 1)
  return counts
}

/** Chains, sets and maps say less than what is in them. */
const CONTAINERS: ReadonlySet<string> = new Set(['chain', 'set', 'map', 'ipset'])

/** The rule, element, entry or server whose shape the fewest cases have; of several the first. Undefined: nothing is there. */
export function characteristic(things: readonly Thing[], counts: ReadonlyMap<string, number>): Thing | undefined {
  let best: { readonly thing: Thing; readonly count: number } | undefined
  for (const thing of things) {
    if (CONTAINERS.has(thing.kind)) continue
    const count = counts.get(shapeOf(thing)) ?? 0
    if (best === undefined || count < best.count) best = { thing, count }
  }
  return best?.thing
}
