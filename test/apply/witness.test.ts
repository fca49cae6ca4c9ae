import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { elementCommands, generations, touches } from '../../src/apply/nft/events.ts'
import { type Monitor, type OpenMonitor, systemMonitor } from '../../src/apply/nft/monitor.ts'
import type { NftProgram } from '../../src/apply/nft/program.ts'
import { Witness } from '../../src/apply/witness.ts'
import type { Snapshot } from '../../src/snapshot/types.ts'
import { service, slice, snapshot } from '../support/objects.ts'
import { applyIn, goalOf, missing, Namespace, nftOf } from './machine.ts'

const TABLES = [{ family: 'ipv4', table: 'kubenft' }] as const
const TOLD = `add table ip other
# new generation 4 by process 11 (nft)
delete element ip kubenft service-ips { 10.100.0.0 . tcp . 9000 : goto tcp-1 }
add element ip kubenft service-ips { 10.100.0.0 . tcp . 9000 : goto tcp-2 }
# new generation 5 by process 12 (nft)
add set ip kubenft q { type ipv4_addr; }
`
const SCRIPT = `delete element ip kubenft service-ips { 10.100.0.0 . tcp . 9000 }
add element ip kubenft service-ips { 10.100.0.0 . tcp . 9000 : goto tcp-2 }
`

const monitorOf = (text: string): Monitor => ({ text: () => text, more: async () => {}, close: () => {} })

describe('what the kernel tells', () => {
  test('is read transaction by transaction; one that is not finished does not count', () => {
    const found = generations(TOLD)
    expect(found.map(({ pid }) => pid)).toEqual([11, 12])
    expect(found.map(generation => touches(generation, TABLES))).toEqual([false, true])
    expect(elementCommands(found[1]!, TABLES[0])).toEqual(SCRIPT.trim().split('\n').sort())
  })

  const confirms = (text: string, script = SCRIPT): Promise<boolean> => new Witness(monitorOf(text), TABLES).confirms(script)
  test('confirms a script that was done to the letter', async () => {
    expect(await confirms(TOLD)).toBe(true)
  })
  test.each([
    ['nothing', ''],
    ['another value', TOLD.replace('9000 : goto tcp-2', '9000 : goto tcp-3')],
    ['less', TOLD.replace(/^delete.*\n/m, '')],
    ['more', TOLD.replace('# new generation 5', 'add element ip kubenft cluster-ips { 10.0.0.1 }\n# new generation 5')],
    ['something else than elements', TOLD.replace('# new generation 5', 'add chain ip kubenft c\n# new generation 5')],
    ['another transaction', `${TOLD}# new generation 6 by process 13 (nft)\n`],
    ['words that cannot be read', TOLD.replace('delete element ip kubenft service-ips {', 'delete element ip kubenft service-ips !')],
  ])('does not confirm %s', async (_, text) => {
    expect(await confirms(text)).toBe(false)
  })

  test('vouches for scripts of few elements and nothing else', () => {
    const accepts = (script: string): boolean => new Witness(monitorOf(''), TABLES).accepts(script)
    expect(accepts(SCRIPT)).toBe(true)
    expect(accepts(`${SCRIPT}add rule ip kubenft c drop\n`)).toBe(false)
    expect(accepts(SCRIPT.repeat(2000))).toBe(false)
  })
})

const root = process.getuid?.() === 0

describe.skipIf(missing !== undefined || !root)('a monitor in the kernel', () => {
  let machine: Namespace
  let openMonitor: OpenMonitor
  const cluster = (...endpoints: readonly string[]): Snapshot => snapshot({ services: [service()], endpointSlices: [slice({ endpoints })] })
  const before = goalOf(cluster('10.1.0.1', '10.1.0.2'))
  const after = goalOf(cluster('10.1.0.1', '10.1.0.3'))
  beforeAll(async () => {
    machine = await Namespace.start('machine')
    openMonitor = systemMonitor({ netns: `/proc/${machine.pid}/ns/net` })
  })
  afterAll(() => machine?.end())
  beforeEach(async () => {
    await machine.must(['nft', 'flush', 'ruleset'])
    await applyIn(machine, before)
  })

  /** The calls for listings, beside the real nft; `meddle` runs before what is named. */
  const watched = (when?: 'list' | '--check' | '-f', meddle?: string): { nft: NftProgram; lists: () => number } => {
    const real = nftOf(machine)
    let lists = 0
    let done = meddle === undefined
    return {
      lists: () => lists,
      nft: async (args, script) => {
        if (args.includes('list')) lists++
        if (!done && args.includes(when ?? '') && (when !== '-f' || !args.includes('--check'))) {
          done = true
          if (when === 'list') {
            const ended = await real(args, script)
            await machine.must(['nft', meddle ?? ''])
            return ended
          }
          await machine.must(['nft', meddle ?? ''])
        }
        return real(args, script)
      },
    }
  }

  test('an endpoint replaced is confirmed without a second listing', async () => {
    const { nft, lists } = watched()
    expect(await applyIn(machine, after, { nft, openMonitor })).toMatchObject({ outcome: 'applied', proof: 'monitor', tries: 1 })
    expect(lists()).toBe(2)
    expect((await applyIn(machine, after)).outcome).toBe('unchanged')
  })

  test('a change of other tables does no harm', async () => {
    const { nft } = watched('--check', 'add table ip other; add chain ip other c')
    expect(await applyIn(machine, after, { nft, openMonitor })).toMatchObject({ proof: 'monitor', tries: 1 })
  })

  test.each(['list', '--check'] as const)('a change of our table around %s, before the run: it is read again', async when => {
    const { nft } = watched(when, 'flush chain ip kubenft services')
    expect(await applyIn(machine, after, { nft, openMonitor })).toMatchObject({ outcome: 'applied', tries: 2 })
    expect((await applyIn(machine, after)).outcome).toBe('unchanged')
  })

  test('a change of our table at the last moment: it is read back, and found', async () => {
    const { nft } = watched('-f', 'flush chain ip kubenft services')
    await expect(applyIn(machine, after, { nft, openMonitor })).rejects.toThrow('chain services: is not in the kernel as it was asked for')
  })

  test('chains and rules are read back', async () => {
    const { nft, lists } = watched()
    const more = goalOf(cluster('10.1.0.1', '10.1.0.2', '10.1.0.3'))
    expect(await applyIn(machine, more, { nft, openMonitor })).toMatchObject({ proof: 'read back' })
    expect(lists()).toBe(4)
  })

  test('where there is no monitor, all is read back', async () => {
    const none = systemMonitor({ program: '/nowhere/nft' })
    expect(await none()).toBeUndefined()
    expect(await applyIn(machine, after, { openMonitor: none })).toMatchObject({ proof: 'read back' })
  })
})
