import type { Family } from '../address.ts'
import type { ChainObject, Command, MapObject, NftObject, SetObject, Verb } from './objects.ts'
import type { TableName } from './print.ts'
import { readElements } from './script/elements.ts'
import { readChain, readContainer } from './script/options.ts'
import { Source } from './script/source.ts'

/** An nft script: commands about one table. */
export interface Script {
  /** Undefined when there is no command. */
  readonly name: TableName | undefined
  readonly commands: readonly Command[]
}

const VERBS: ReadonlySet<string> = new Set(['add', 'delete', 'flush'])

/**
 * Reads an nft script in the form that kubenft and kube-proxy write: `add`, `delete` and `flush` of tables, chains, rules, sets, maps and elements, all of one table.
 * The opposite of `printScript`. A command with several elements becomes a command an element. Rule texts stay as they are; see `canonicalRule`.
 *
 * Whether elements belong to a set or a map shows in their value; a deletion without values is that of a map when the script declares it.
 *
 * @param file name for error messages
 * @throws DiagnosticsError with line and column
 */
export function parseScript(text: string, file?: string): Script {
  const source = new Source(text, file)
  const commands: Command[] = []
  const maps = new Set<string>()
  let name: TableName | undefined
  for (source.skipEnds(); !source.done; source.skipEnds()) {
    const start = source.position
    const verb = source.word('a command') as Verb
    if (!VERBS.has(verb)) source.fail(`\`add\`, \`delete\` or \`flush\` expected`, start)
    const kindAt = source.next
    const kind = source.word('a kind of object')
    const nameAt = source.next
    const next = readTableName(source)
    name ??= next
    if (next.family !== name.family || next.table !== name.table) source.fail('a script about one table expected', nameAt)
    for (const object of readObjects(source, verb, kind, maps) ?? source.fail('a table, chain, rule, set, map or element expected', kindAt))
      commands.push({ verb, object })
    source.end()
  }
  return { name, commands }
}

/** `ip kubenft` */
function readTableName(source: Source): TableName {
  const start = source.next
  const word = source.word('a family')
  const family: Family | undefined = word === 'ip' ? 'ipv4' : word === 'ip6' ? 'ipv6' : undefined
  if (family === undefined) source.fail('the family `ip` or `ip6` expected', start)
  return { family, table: source.word('the name of a table') }
}

function readObjects(source: Source, verb: Verb, kind: string, maps: Set<string>): readonly NftObject[] | undefined {
  switch (kind) {
    case 'table':
      return [{ kind, ...(source.accept('{') ? readChain(source, noRule(source)) : {}) }]
    case 'chain': {
      const chain: ChainObject = { kind, name: source.word('the name of a chain') }
      return [source.accept('{') ? { ...chain, ...readChain(source, noRule(source)) } : chain]
    }
    case 'rule': {
      const chain = source.word('the name of a chain')
      const text = source.statement()
      if (text === '') source.fail('a rule expected')
      return [{ kind, chain, text }]
    }
    case 'set':
    case 'map': {
      const set: SetObject | MapObject = { kind, name: source.word(`the name of a ${kind}`) }
      if (kind === 'map') maps.add(set.name)
      if (!source.accept('{')) return [set]
      const elements: NftObject[] = []
      const map = kind === 'map'
      const declaration = readContainer(source, (key, data) => elements.push({ kind: 'element', set: set.name, map, key, ...data }))
      return [{ ...set, ...declaration } as MapObject, ...elements]
    }
    case 'element': {
      const set = source.word('the name of a set or map')
      const elements: NftObject[] = []
      readElements(source, (key, data) =>
        elements.push({
          kind,
          set,
          map: data.value !== undefined || maps.has(set),
          key: key.replaceAll(/\s+/g, ' '),
          ...(verb === 'add' ? data : {}),
        }),
      )
      return elements
    }
    default:
      return undefined
  }
}

/** Rules are commands of their own in a script. */
function noRule(source: Source): (text: string, start: number) => never {
  return (_, start) => source.fail('`type`, `policy` or `comment` expected', start)
}
