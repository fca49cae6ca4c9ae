import type { ChainBody, Fragment } from './fragment.ts'
import type { ChainOptions, MapDeclaration, SetDeclaration, Sink } from './layouts/layout.ts'
import { block, chainParts, comments, containerParts, elementTail, type TableName, tablePath } from './print.ts'

/**
 * A full ruleset as an nft script: table, chains, sets, maps, rules, elements, each sorted by name or key, so that the same ruleset has the same bytes
 * and two of them diff well. Layouts can emit straight into it: an element is a line from the start, never an object.
 */
export class TableText implements Sink {
  readonly #chains = new Map<string, ChainBody>()
  readonly #sets = new Map<string, SetDeclaration>()
  readonly #maps = new Map<string, MapDeclaration>()
  /** By container: what stands behind the opening brace. */
  readonly #elements = new Map<string, string[]>()

  chain(name: string, rules: readonly string[], options: ChainOptions = {}): void {
    this.#chains.set(name, { rules, ...options })
  }

  sharedChain(name: string, rules: () => readonly string[]): void {
    if (!this.#chains.has(name)) this.#chains.set(name, { rules: rules() })
  }

  set(name: string, declaration: SetDeclaration): void {
    this.#sets.set(name, declaration)
  }

  map(name: string, declaration: MapDeclaration): void {
    this.#maps.set(name, declaration)
  }

  element(container: string, key: string, value?: string, comment?: string): void {
    let lines = this.#elements.get(container)
    if (lines === undefined) {
      lines = []
      this.#elements.set(container, lines)
    }
    lines.push(`${key}${elementTail(value, comment)} }\n`)
  }

  print(table: TableName, tableComment: string): string {
    const path = tablePath(table)
    let text = `add table ${path}${block('add', comments(tableComment))}\n`
    const chains = byName(this.#chains)
    for (const [name, body] of chains) text += `add chain ${path} ${name}${block('add', chainParts(body))}\n`
    for (const [name, set] of byName(this.#sets)) text += `add set ${path} ${name}${block('add', containerParts(set))}\n`
    for (const [name, map] of byName(this.#maps)) text += `add map ${path} ${name}${block('add', containerParts(map))}\n`
    for (const [name, { rules }] of chains) for (const rule of rules) text += `add rule ${path} ${name} ${rule}\n`
    const elements = byName(this.#elements)
    for (const wantsMap of [false, true]) {
      for (const [name, lines] of elements)
        if (this.#maps.has(name) === wantsMap) text += elementLines(`add element ${path} ${name} { `, lines)
    }
    return text
  }
}

/** An element that several service ports own stands there once. */
function elementLines(prefix: string, lines: string[]): string {
  let text = ''
  let last = ''
  for (const line of lines.sort()) {
    if (line !== last) text += prefix + line
    last = line
  }
  return text
}

function byName<T>(things: ReadonlyMap<string, T>): (readonly [string, T])[] {
  return [...things].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The text of what a fragment holds. */
export function printTable(fragment: Fragment, table: TableName, tableComment: string): string {
  const text = new TableText()
  for (const [name, { rules, ...options }] of fragment.chains) text.chain(name, rules, options)
  for (const [name, { rules }] of fragment.sharedChains) text.sharedChain(name, rules)
  for (const [name, set] of fragment.sets) text.set(name, set)
  for (const [name, map] of fragment.maps) text.map(name, map)
  for (const [container, counts] of fragment.sharedElements) for (const key of counts.keys()) text.element(container, key)
  for (const [container, elements] of fragment.elements)
    for (const [key, { value, comment }] of elements) text.element(container, key, value, comment)
  return text.print(table, tableComment)
}
