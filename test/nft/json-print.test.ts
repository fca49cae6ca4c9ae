import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NodeRules } from '../../src/delta/node-rules.ts'
import { tableCommands } from '../../src/nft/commands.ts'
import { printJson } from '../../src/nft/json/print.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import type { Command } from '../../src/nft/objects.ts'
import { parseScript } from '../../src/nft/parse.ts'
import { printScript, type TableName, tablePath } from '../../src/nft/print.ts'
import { history } from '../support/arbitraries.ts'
import { GOLDEN_CASES } from '../support/golden.ts'
import { inNamespace, loading, normalized } from '../support/kernel.ts'
import { goldenTables, loadable, SEPARATOR } from './tables.ts'

function jsonLoading(json: string): string {
  return loading(json).replace('nft -f', 'nft -j -f')
}

function listing(name: TableName): string {
  return `nft -j list table ${tablePath(name)}; echo '${SEPARATOR}'\n`
}

const FLUSH = 'nft flush ruleset\n'

/** What a script left in the kernel, table by table, but for the comments of sets and maps: nft 1.0.6 passes over those in JSON. */
function tables(script: string): string[][] {
  return inNamespace(script)
    .split(`${SEPARATOR}\n`)
    .slice(0, -1)
    .map(text =>
      normalized(
        JSON.stringify({
          nftables: (JSON.parse(text) as { nftables: Record<string, object>[] }).nftables.map(entry => {
            const [kind, object] = Object.entries(entry)[0]!
            return { [kind]: kind === 'set' || kind === 'map' ? { ...object, comment: undefined } : object }
          }),
        }),
      ),
    )
}

/** The first half of the tables should be the second. */
function expectSameHalves(found: readonly string[][], titles: (index: number) => string = () => ''): void {
  const half = found.length / 2
  expect(half).toBeGreaterThan(0)
  for (let index = 0; index < half; index++) expect(found[half + index], titles(index)).toEqual(found[index])
}

const declaresTypeof = ({ object }: Command): boolean => 'typeof' in object

function isAtLeast(version: readonly number[]): boolean {
  const found =
    inNamespace('nft --version')
      .match(/v([\d.]+)/)?.[1]
      ?.split('.')
      .map(Number) ?? []
  const differing = version.findIndex((part, index) => part !== (found[index] ?? 0))
  return differing === -1 || (found[differing] ?? 0) > (version[differing] as number)
}

test.each(Object.keys(LAYOUTS) as LayoutName[])('the commands of a ruleset of layout %s are its script', layoutName => {
  for (const { title, name, fragment, script } of goldenTables(layoutName)) {
    expect(printScript(tableCommands(fragment, LAYOUTS[layoutName].tableComment), name), title).toBe(script)
  }
})

test('every golden ruleset of kube-proxy makes the same table from JSON as from its script', () => {
  const scripts = GOLDEN_CASES.flatMap(({ folder }) =>
    readdirSync(path.join(folder, 'expected'))
      .filter(file => /^nftables-1\..*\.nft$/.test(file))
      .map(file => path.join(folder, 'expected', file)),
  ).map(file => {
    const script = loadable(readFileSync(file, 'utf8'))
    const { name, commands } = parseScript(script, file)
    return { file, script, name: name as TableName, json: printJson(commands, name as TableName) }
  })
  expect(scripts.length).toBeGreaterThan(200)
  const found = tables(
    [
      ...scripts.map(({ script, name }) => `${loading(script)}${listing(name)}${FLUSH}`),
      ...scripts.map(({ json, name }) => `${jsonLoading(json)}${listing(name)}${FLUSH}`),
    ].join(''),
  )
  expectSameHalves(found, index => scripts[index]!.file)
})

test('every golden ruleset of layout maps makes the same table from JSON, where its endpoint maps come from a script', () => {
  const rulesets = goldenTables('maps').map(ruleset => ({ ...ruleset, commands: parseScript(ruleset.script).commands }))
  const found = tables(
    [
      ...rulesets.map(({ script, name }) => `${loading(script)}${listing(name)}${FLUSH}`),
      ...rulesets.map(({ commands, name }) => {
        const [table, ...others] = commands
        const declarations = printScript([table!, ...others.filter(declaresTypeof)], name)
        const json = printJson(
          others.filter(command => !declaresTypeof(command)),
          name,
        )
        return `${loading(declarations)}${jsonLoading(json)}${listing(name)}${FLUSH}`
      }),
    ].join(''),
  )
  expectSameHalves(found, index => rulesets[index]!.title)
})

test('the endpoint maps of layout maps have JSON that nft 1.1.2 and later take', () => {
  const { name, script } = goldenTables('maps')[0]!
  const json = printJson(parseScript(script).commands, name)
  expect(json).toContain(
    '{"add":{"map":{"family":"ip","table":"kubenft","name":"tcp-endpoints","type":{"typeof":{"concat":[{"payload":{"protocol":"ip","field":"daddr"}},{"payload":{"protocol":"tcp","field":"dport"}},{"numgen":{"mode":"random","mod":65536,"offset":0}}]}},"map":{"typeof":{"concat":[{"payload":{"protocol":"ip","field":"daddr"}},{"payload":{"protocol":"tcp","field":"dport"}}]}}}}}',
  )
  if (isAtLeast([1, 1, 2])) expectSameHalves(tables(`${loading(script)}${listing(name)}${FLUSH}${jsonLoading(json)}${listing(name)}`))
  else expect(() => inNamespace(jsonLoading(json))).toThrow('Invalid set type')
})

/** Loads a set or map, and gives back what nft said, or the table that it made. */
function attempt(kind: 'set' | 'map', declaration: object): string {
  const place = { family: 'ip', table: 't' }
  const commands = [{ add: { table: { family: 'ip', name: 't' } } }, { add: { [kind]: { ...place, name: 'x', ...declaration } } }]
  const json = `${JSON.stringify({ nftables: [{ metainfo: { json_schema_version: 1 } }, ...commands] })}\n`
  return inNamespace(`(${jsonLoading(json).replace("<<'END_OF_SCRIPT'", "2>&1 <<'END_OF_SCRIPT' || true")}); nft list ruleset`)
}

/** Why `printJson` does not try these. */
test('what the JSON of nft before 1.1.2 cannot say', context => {
  context.skip(isAtLeast([1, 1, 2]), 'this nft can')
  const integerKey = { type: ['ipv4_addr', 'integer'], map: 'verdict' }
  expect(attempt('map', integerKey)).toContain('can not use variable sized data types')
  expect(attempt('map', { type: 'ipv4_addr', map: 'ipv4_addr . inet_service' })).toContain('Invalid map type')
  // As a list they make a set, without a word.
  expect(attempt('map', { type: 'ipv4_addr', map: ['ipv4_addr', 'inet_service'] })).toContain('set x {')
  expect(attempt('set', { type: 'ipv4_addr', flags: ['dynamic'] })).toContain('Invalid set flag')
  expect(attempt('set', { type: 'ipv4_addr', comment: 'passed over' })).not.toContain('passed over')
})

describe('transactions of random clusters do the same as JSON and as script', () => {
  test.each(['kube-proxy-1.34', 'kube-proxy-1.36', 'kube-proxy-1.37'] as const)('%s', layoutName => {
    fc.assert(
      fc.property(history, ({ node, configuration, rounds }) => {
        const rules = new NodeRules({ layout: LAYOUTS[layoutName], configuration, report: () => {} })
        const steps = [[{ type: 'set', object: node } as const], ...rounds]
          .flatMap(round => rules.apply(round))
          .filter(({ operations }) => operations.length > 0)
        const list = rules.fragments().map(listing).join('')
        const scripts = steps.map(step => loadable(printScript(step.operations, step)))
        const asJson = steps.map((step, index) => printJson(parseScript(scripts[index]!).commands, step))
        expectSameHalves(tables([...scripts.map(loading), list, FLUSH, ...asJson.map(jsonLoading), list].join('')))
      }),
      { numRuns: 20 },
    )
  })
})

test('a rule of another hand has no JSON form', () => {
  expect(() => printJson(parseScript('add rule ip t c log').commands, { family: 'ipv4', table: 't' })).toThrow('log')
})
