import type { ElementData } from '../fragment.ts'
import type { ChainOptions, Hook, MapDeclaration } from '../layouts/layout.ts'
import { readElements } from './elements.ts'
import type { Source } from './source.ts'

/** Names of priorities in families ip and ip6 (nft(8)). */
const PRIORITIES: Readonly<Record<string, number>> = { raw: -300, mangle: -150, dstnat: -100, filter: 0, security: 50, srcnat: 100 }

type Mutable<T> = { -readonly [K in keyof T]?: T[K] }

/** What is in the braces of a chain, up to and with the closing one. `rule` is called for each rule that stands there. */
export function readChain(source: Source, rule: (text: string, start: number) => void): ChainOptions {
  const found: Mutable<ChainOptions> = {}
  for (source.skipEnds(); !source.accept('}'); source.skipEnds()) {
    const start = source.position
    if (source.accept('type')) found.hook = readHook(source)
    else if (source.accept('comment')) found.comment = source.quoted()
    else if (source.accept('policy')) {
      const policy = source.statement()
      // A policy other than accept is not in the model: it makes the hook differ from any that is wanted.
      if (policy !== 'accept' && found.hook !== undefined) found.hook = { ...found.hook, policy } as Hook
    } else {
      const text = source.statement()
      if (text === '') source.fail('a brace is left open')
      rule(text, start)
    }
  }
  return found
}

/** `filter hook input priority filter + 5` */
function readHook(source: Source): Hook {
  const type = source.word('a type of chain') as Hook['type']
  source.expect('hook')
  const hook = source.word('a hook') as Hook['hook']
  source.expect('priority')
  return { type, hook, priority: readPriority(source) }
}

function readPriority(source: Source): number {
  const start = source.next
  const text = source.statement()
  const [, base = '', sign, offset] = /^([a-z]+|-?\d+)(?:\s*([+-])\s*(\d+))?$/.exec(text) ?? []
  const value = PRIORITIES[base] ?? Number(base === '' ? Number.NaN : base)
  if (Number.isNaN(value)) source.fail('a priority expected', start)
  return value + (offset === undefined ? 0 : Number(`${sign}${offset}`))
}

const UNITS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 }

/** `3h`, `1d2h`, `10800s` or `10800`, in seconds. */
function readDuration(source: Source): number {
  const text = source.word('a time')
  if (/^\d+$/.test(text)) return Number(text)
  if (!/^(?:\d+(?:ms|[wdhms]))+$/.test(text)) source.fail('a time expected', source.position - text.length)
  return [...text.matchAll(/(\d+)(ms|[wdhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS[unit as string] ?? 0.001),
    0,
  )
}

/** Details of sets that say nothing about what they hold. */
const IGNORED: ReadonlySet<string> = new Set(['size', 'gc-interval', 'policy', 'auto-merge'])

/** What is in the braces of a set or map, up to and with the closing one. Elements are visited with the type that was declared before them. */
export function readContainer(source: Source, visit: (key: string, data: ElementData, type: string) => void): Mutable<MapDeclaration> {
  const found: Mutable<MapDeclaration> = {}
  for (source.skipEnds(); !source.accept('}'); source.skipEnds()) {
    const start = source.position
    const option = source.word('an option of a set')
    if (option === 'type' || option === 'typeof') {
      const [type = '', value] = source.statement().split(/\s+:\s+/)
      found.type = type.replaceAll(/\s+/g, ' ')
      if (option === 'typeof') found.typeof = true
      if (value !== undefined) found.value = value.replaceAll(/\s+/g, ' ')
    } else if (option === 'flags') found.flags = source.statement().split(/\s*,\s*/)
    else if (option === 'timeout') found.timeout = readDuration(source)
    else if (option === 'comment') found.comment = source.quoted()
    else if (option === 'elements') {
      source.expect('=')
      const type = found.type ?? ''
      readElements(source, (key, data) => visit(key, data, type))
    } else if (IGNORED.has(option)) source.statement()
    else source.fail('an option of a set or map expected', start)
  }
  return found
}
