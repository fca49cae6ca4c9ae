import { describe, expect, test } from 'vitest'
import { scriptOf } from '../../src/apply/plan.ts'
import { type PlanDocument, readSavedPlan, savePlan } from '../../src/apply/saved-plan.ts'
import { snapshotPlanner } from '../../src/apply/snapshot-plan.ts'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import { service, slice, snapshot } from '../support/objects.ts'
import { goalOf } from './machine.ts'

const goal = goalOf(
  snapshot({
    services: [service(), service({ name: 'dns', clusterIP: '172.30.0.42', ports: [{ port: 53, protocol: 'UDP' }] })],
    endpointSlices: [
      slice({ endpoints: ['10.1.0.1'] }),
      slice({ name: 'dns-a', of: 'dns', ports: [{ name: '', port: 53, protocol: 'UDP' }], endpoints: ['10.1.0.2'] }),
    ],
  }),
)
const plan = snapshotPlanner(goal)({})
const document = savePlan(plan, {}, goal.layout)
const now = (): Date => new Date('2026-01-02T03:04:05.678Z')
const read = (changed: object): ReturnType<typeof readSavedPlan> => readSavedPlan(JSON.stringify(changed), 'plan.json', now)

describe('a saved plan', () => {
  test('is the same script when it is read again', () => {
    const again = read(document).planner({})
    expect(scriptOf(again, {})).toBe(scriptOf(plan, {}))
    expect(again.services).toEqual(['shop/dns', 'shop/web'])
    expect(again.tables.map(({ asked }) => asked?.elements.get('cluster-ips')?.size)).toEqual([2])
  })

  test('is dated when it is applied', () => {
    expect(read(document).planner({}).metadata?.applied).toBe('2026-01-02T03:04:05Z')
  })

  test('keeps the UDP service ports that it changes, for connection tracking', () => {
    expect(
      read(document)
        .planner({})
        .families.map(({ changes }) => changes.map(({ after }) => after?.port.name)),
    ).toEqual([['dns']])
  })

  test('is stale when there is a table by now', () => {
    const listing = 'table ip kubenft {\n}\n'
    const contents = { comment: undefined, chains: new Map(), sets: new Map(), maps: new Map(), elements: new Map() }
    expect(() => read(document).planner({ ipv4: { listing, contents, metadata: undefined } })).toThrow('the plan is stale')
  })

  const withCommand = (command: string): PlanDocument => ({
    ...document,
    tables: document.tables.map(table => ({ ...table, commands: [...table.commands, { command, because: [] }] })),
  })
  test.each([
    ['a table of another name', 'delete table ip filter'],
    ['a table of another family', 'delete table ip6 kubenft'],
    ['all tables', 'flush ruleset'],
    ['a file', 'include "/etc/passwd"'],
    ['two commands in a line', 'delete chain ip kubenft a; delete table ip filter'],
    ['two commands in two lines', 'delete chain ip kubenft a\ndelete table ip filter'],
    ['a rule with a second command in it', 'add rule ip kubenft services accept; flush ruleset'],
    ['no command', '# nothing'],
  ])('about %s is refused', (_, command) => {
    expect(() => read(withCommand(command))).toThrow()
  })

  test.each([
    ['no JSON', 'x'],
    ['null', 'null'],
    ['another kind', JSON.stringify({ ...document, kind: 'Diff' })],
    ['an unknown layout', JSON.stringify({ ...document, layout: '__proto__' })],
    ['no tables', JSON.stringify({ ...document, tables: undefined })],
    [
      'a command that is no text',
      JSON.stringify({ ...document, tables: [{ ...document.tables[0], commands: [{ command: 1, because: [] }] }] }),
    ],
  ])('that is %s is no plan', (_, text) => {
    expect(() => readSavedPlan(text, 'plan.json', now)).toThrow('plan.json: not a plan of kubenft')
  })

  test('names a layout that there is', () => {
    expect(read(document).layout).toBe(LAYOUTS.maps)
  })
})
