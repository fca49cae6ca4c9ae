import type { TableContents } from './contents.ts'
import type { ChainBody } from './fragment.ts'
import type { MapDeclaration, SetDeclaration } from './layouts/layout.ts'
import { canonicalRule } from './rule/canonical.ts'

/**
 * What a live table holds, in the words of what is wanted wherever both mean the same: nft sorts and merges the ranges of an anonymous set, and its JSON has
 * types where the script has `typeof`. What differs in meaning stays as it is.
 */
export function respell(live: TableContents, wanted: Pick<TableContents, 'chains' | 'sets' | 'maps'>): TableContents {
  const chains = new Map<string, ChainBody>()
  for (const [name, body] of live.chains) {
    const other = wanted.chains.get(name)
    chains.set(
      name,
      other === undefined
        ? body
        : {
            ...body,
            ...(body.comment === undefined && other.comment !== undefined ? { comment: other.comment } : {}),
            rules: respellRules(body.rules, other.rules),
          },
    )
  }
  return { ...live, chains, sets: respellDeclarations(live.sets, wanted.sets), maps: respellDeclarations(live.maps, wanted.maps) }
}

function respellRules(live: readonly string[], wanted: readonly string[]): readonly string[] {
  return live.map((text, index) => {
    const other = wanted[index]
    return other !== undefined && other !== text && canonicalRule(other) === canonicalRule(text) ? other : text
  })
}

function respellDeclarations<T extends SetDeclaration & Partial<MapDeclaration>>(
  live: ReadonlyMap<string, T>,
  wanted: ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
  const respelled = new Map(live)
  for (const [name, declaration] of live) {
    const other = wanted.get(name)
    if (other?.typeof !== true || declaration.typeof === true) continue
    if (kernelType(other.type) !== declaration.type || (other.value !== undefined && kernelType(other.value) !== declaration.value))
      continue
    respelled.set(name, { ...declaration, typeof: true, type: other.type, ...(other.value === undefined ? {} : { value: other.value }) })
  }
  return respelled
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^ip [sd]addr$/, 'ipv4_addr'],
  [/^ip6 [sd]addr$/, 'ipv6_addr'],
  [/^(?:tcp|udp|sctp|th) [sd]port$/, 'inet_service'],
  [/^meta l4proto$/, 'inet_proto'],
  [/^numgen /, 'integer'],
]

/** The types that the kernel keeps of the expressions of a `typeof`. */
function kernelType(expressions: string): string {
  return expressions
    .split(' . ')
    .map(expression => TYPES.find(([pattern]) => pattern.test(expression))?.[1] ?? expression)
    .join(' . ')
}
