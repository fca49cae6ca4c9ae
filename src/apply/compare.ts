import { isDeepStrictEqual } from 'node:util'
import { differentKeys } from '../delta/table-difference.ts'
import type { TableContents } from '../nft/contents.ts'
import type { ElementData } from '../nft/fragment.ts'
import { respell } from '../nft/respell.ts'

/** Where a table is not as it was asked for. */
export interface Mismatch {
  /** `chain tcp-3`, `element 172.30.0.1 . tcp . 80 of service-ips` */
  readonly object: string
  readonly asked: string
  readonly found: string
}

const ABSENT = 'absent'
const NOTHING: ReadonlyMap<string, ElementData> = new Map()

/** Every difference between what was asked for and what is there. Chains of `leftover` may be there, empty. */
export function mismatches(asked: TableContents, found: TableContents, leftover: ReadonlySet<string> = new Set()): Mismatch[] {
  const actual = respell(found, asked)
  const isLeftover = (name: string): boolean => leftover.has(name) && actual.chains.get(name)?.rules.length === 0
  return [
    ...differing('chain', asked.chains, actual.chains).filter(({ key }) => asked.chains.has(key) || !isLeftover(key)),
    ...differing('set', asked.sets, actual.sets),
    ...differing('map', asked.maps, actual.maps),
    ...[...new Set([...asked.elements.keys(), ...actual.elements.keys()])].flatMap(name =>
      differing('element', asked.elements.get(name) ?? NOTHING, actual.elements.get(name) ?? NOTHING).map(mismatch => ({
        ...mismatch,
        object: `${mismatch.object} of ${name}`,
      })),
    ),
  ].map(({ object, asked, found }) => ({ object, asked, found }))
}

function differing<T extends object>(
  kind: string,
  asked: ReadonlyMap<string, T>,
  found: ReadonlyMap<string, T>,
): (Mismatch & { key: string })[] {
  return [...differentKeys(asked, found, same)].map(key => ({
    key,
    object: `${kind} ${key}`,
    asked: shown(asked.get(key)),
    found: shown(found.get(key)),
  }))
}

/** Elements are by far the most, and have two texts. */
function same(a: ElementData, b: ElementData): boolean {
  return (a.value !== undefined && a.value === b.value && a.comment === b.comment) || isDeepStrictEqual(a, b)
}

function shown(thing: object | undefined): string {
  if (thing === undefined) return ABSENT
  const text = JSON.stringify(thing)
  return text === '{}' ? 'present' : text
}
