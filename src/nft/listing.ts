import type { TableContents } from './contents.ts'
import type { ChainBody, ElementData } from './fragment.ts'
import type { MapDeclaration, SetDeclaration } from './layouts/layout.ts'
import type { TableName } from './print.ts'
import { canonicalRule } from './rule/canonical.ts'
import { readChain, readContainer } from './script/options.ts'
import { Source } from './script/source.ts'
import { addressSpelling, protocolName } from './spelling.ts'

/**
 * Reads what `nft list table` (or `list ruleset`) printed, into the spelling of the layouts: everything that `TableContents` holds is in it. A rule with
 * anything that kubenft does not write keeps its words, and equals no rule of a layout. Other objects of the table (counters, flowtables, …) are left out.
 *
 * @param file name for error messages
 * @returns undefined when the listing has no such table
 * @throws DiagnosticsError with line and column
 */
export function readListing(listing: string, { family, table }: TableName, file?: string): TableContents | undefined {
  const source = new Source(listing, file)
  source.skipEnds()
  if (source.done) source.fail('the listing of the table is empty')
  let found: TableContents | undefined
  for (; !source.done; source.skipEnds()) {
    source.expect('table')
    if (source.accept(family === 'ipv4' ? 'ip' : 'ip6') && source.accept(table)) {
      source.expect('{')
      found = readTable(source)
    } else source.statement()
  }
  return found
}

function readTable(source: Source): TableContents {
  let comment: string | undefined
  const chains = new Map<string, ChainBody>()
  const sets = new Map<string, SetDeclaration>()
  const maps = new Map<string, MapDeclaration>()
  const elements = new Map<string, Map<string, ElementData>>()
  for (source.skipEnds(); !source.accept('}'); source.skipEnds()) {
    if (source.accept('comment')) comment = source.quoted()
    else if (source.accept('chain')) {
      const name = source.word('the name of a chain')
      source.expect('{')
      const rules: string[] = []
      const options = readChain(source, text => rules.push(canonicalRule(text)))
      chains.set(name, { ...options, rules })
    } else if (source.accept('set')) readInto(source, sets, elements)
    else if (source.accept('map')) readInto(source, maps, elements)
    else if (source.statement() === '') source.fail('a brace is left open')
  }
  return { comment, chains, sets, maps, elements }
}

function readInto<T extends SetDeclaration>(
  source: Source,
  containers: Map<string, T>,
  elements: Map<string, Map<string, ElementData>>,
): void {
  const name = source.word('the name of a set or map')
  source.expect('{')
  const found = new Map<string, ElementData>()
  // The type comes before the elements, but is only returned after them.
  const declaration = readContainer(source, (key, data, type) => found.set(canonicalKey(key, type), data))
  containers.set(name, declaration as T)
  if (found.size > 0) elements.set(name, found)
}

function canonicalKey(key: string, type: string): string {
  if (type.includes('inet_proto')) {
    const types = type.split(' . ')
    return key
      .split(' . ')
      .map((part, index) => (types[index] === 'inet_proto' ? protocolName(part) : addressSpelling(part)))
      .join(' . ')
  }
  return MIXED_ADDRESS.test(key) ? key.split(' . ').map(addressSpelling).join(' . ') : key
}

/** `::10.0.0.1` */
const MIXED_ADDRESS = /:\d+\.\d/
