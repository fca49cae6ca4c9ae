import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NftProgram } from '../../src/apply/nft/program.ts'
import { systemNft } from '../../src/apply/nft/program.ts'
import type { Planner } from '../../src/apply/plan.ts'
import { type Goal, snapshotPlanner } from '../../src/apply/snapshot-plan.ts'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import type { Snapshot } from '../../src/snapshot/types.ts'
import { service, slice, snapshot } from '../support/objects.ts'
import { applyIn, goalOf, listing, missing, Namespace, nftOf } from './machine.ts'

function cluster(...endpoints: readonly string[]): Snapshot {
  return snapshot({ services: [service()], endpointSlices: [slice({ endpoints })] })
}

/** What nft is called for: to `list`, to `--check`, or to load (`-f`). */
function purposeOf(args: readonly string[]): string | undefined {
  return ['list', '--check', '-f'].find(word => args.includes(word))
}

/** Everything that an apply which fails says. */
async function failureOf(applied: Promise<unknown>): Promise<string> {
  try {
    await applied
  } catch (error) {
    if (error instanceof DiagnosticsError) return error.message
    throw error
  }
  throw new Error('it did not fail')
}

describe.skipIf(missing !== undefined)(`faults${missing === undefined ? '' : ` (${missing})`}`, () => {
  let machine: Namespace
  let old: string
  const before = goalOf(cluster('10.1.0.1', '10.1.0.2'))
  const after = goalOf(cluster('10.1.0.1', '10.1.0.3', '10.1.0.4'))
  beforeAll(async () => {
    machine = await Namespace.start('machine')
  })
  afterAll(() => machine?.end())
  beforeEach(async () => {
    await machine.must(['nft', 'flush', 'ruleset'])
    await applyIn(machine, before)
    old = await listing(machine)
  })

  /** The nft of the machine, but for calls with this argument. */
  const except = (
    argument: 'list' | '--check' | '-f',
    instead: (real: NftProgram, args: readonly string[], script?: string) => ReturnType<NftProgram>,
  ): NftProgram => {
    const real = nftOf(machine)
    return (args, script) => (purposeOf(args) === argument ? instead(real, args, script) : real(args, script))
  }
  /** nft by way of another program. */
  const through =
    (...command: readonly string[]): NftProgram =>
    async (args, script = '') => {
      const { code, stdout, stderr } = await machine.run([...command, 'nft', ...args], script)
      return code === null ? { how: 'killed', signal: 'SIGKILL', stderr } : { how: 'exited', code, stdout, stderr }
    }
  const once = (work: () => Promise<unknown>): (() => Promise<unknown>) => {
    let done = false
    return async () => {
      if (!done) await work()
      done = true
    }
  }
  /** A planner with one more command at the end. */
  const spoiled = (goal: Goal, key: string): Planner => {
    const planner = snapshotPlanner(goal)
    return live => {
      const plan = planner(live)
      return {
        ...plan,
        tables: plan.tables.map(table => ({
          ...table,
          operations: [
            ...table.operations,
            {
              verb: 'delete',
              object: { kind: 'element', set: 'cluster-ips', map: false, key },
              origins: table.operations.flatMap(operation => ('origins' in operation ? operation.origins : [])).slice(0, 1),
            } as const,
          ],
        })),
      }
    }
  }

  test('nft is not there', async () => {
    const said = await failureOf(applyIn(machine, after, { nft: systemNft({ program: '/nowhere/nft' }) }))
    expect(said).toContain('nft cannot be run: spawn /nowhere/nft ENOENT')
    expect(said).toContain('Nothing was changed.')
    expect(await listing(machine)).toBe(old)
  })

  test('nft is there and may not be run', async () => {
    expect(await failureOf(applyIn(machine, after, { nft: systemNft({ program: '/etc/passwd' }) }))).toContain('EACCES')
  })

  test('nft is too old for a command: what it does not understand is named', async () => {
    const nft = except('--check', async (_, __, script = '') => {
      const line = script.split('\n').findIndex(text => text.startsWith('add chain')) + 1
      return { how: 'exited', code: 1, stdout: '', stderr: `/dev/stdin:${line}:1-3: Error: syntax error, unexpected comment\nadd\n^^^\n` }
    })
    const said = await failureOf(applyIn(machine, after, { nft }))
    expect(said).toContain('add chain ip kubenft tcp-3: nft refused: syntax error, unexpected comment')
    expect(await listing(machine)).toBe(old)
  })

  test('no right to change the rules', async () => {
    const nft = through('setpriv', '--bounding-set=-net_admin', '--inh-caps=-net_admin')
    const said = await failureOf(applyIn(machine, after, { nft }))
    expect(said).toMatch(/not permitted/)
    expect(said).toContain('Run it as root, or with CAP_NET_ADMIN')
    expect(await listing(machine)).toBe(old)
  })

  test('the kernel refuses the transaction: the command and its service are named, and nothing of it is done', async () => {
    const said = await failureOf(applyIn(machine, after, { planner: spoiled(after, '172.30.9.9') }))
    expect(said).toContain('delete element ip kubenft cluster-ips { 172.30.9.9 }: nft refused: No such file or directory')
    expect(said).toContain('It is there for: Service shop/web: ')
    expect(await listing(machine)).toBe(old)
  })

  test('the kernel refuses what it took when it checked', async () => {
    const nft = except('--check', async () => ({ how: 'exited', code: 0, stdout: '', stderr: '' }))
    const said = await failureOf(applyIn(machine, after, { planner: spoiled(after, '172.30.9.9'), nft }))
    expect(said).toContain('The table is as it was.')
    expect(await listing(machine)).toBe(old)
  })

  test('nft is killed before the kernel has the transaction', async () => {
    const said = await failureOf(
      applyIn(machine, after, { nft: except('-f', async () => ({ how: 'killed', signal: 'SIGKILL', stderr: '' })) }),
    )
    expect(said).toContain('nft was ended by SIGKILL')
    expect(said).toContain('The new rules are not in place.')
    expect(await listing(machine)).toBe(old)
  })

  test('nft is killed after the kernel took the transaction: it is done, with a warning', async () => {
    const nft = except('-f', async (real, args, script) => {
      await real(args, script)
      return { how: 'killed', signal: 'SIGSEGV', stderr: '' }
    })
    const { outcome, warnings } = await applyIn(machine, after, { nft })
    expect(outcome).toBe('applied')
    expect(warnings).toHaveLength(1)
    expect((await applyIn(machine, after)).outcome).toBe('unchanged')
  })

  test('a list that prints nothing, or is cut off, is no empty table', async () => {
    const answer = (stdout: string): NftProgram => except('list', async () => ({ how: 'exited', code: 0, stdout, stderr: '' }))
    expect(await failureOf(applyIn(machine, after, { nft: answer('') }))).toContain('nft printed nothing')
    await failureOf(applyIn(machine, after, { nft: answer(old.slice(0, 400)) }))
    await failureOf(applyIn(machine, after, { nft: except('list', async () => ({ how: 'killed', signal: 'SIGSEGV', stderr: '' })) }))
    const complaints = [
      'Error: cache initialization failed: No such file or directory\n',
      'nsenter: cannot open /run/netns/x: No such file or directory\n',
      'Error: No such file or directory\nlist table ip other\n              ^^^^^\n',
    ]
    for (const stderr of complaints)
      await failureOf(applyIn(machine, after, { nft: except('list', async () => ({ how: 'exited', code: 1, stdout: '', stderr })) }))
    expect(await listing(machine)).toBe(old)
  })

  test.each(['--check', '-f'] as const)(
    'the table changes before %s, and the plan fits no more: one more try with a fresh read',
    async argument => {
      const change = once(() => machine.must(['nft', 'delete element ip kubenft tcp-endpoints { 172.30.0.41 . 80 . 1 }']))
      const nft = except(argument, async (real, args, script) => {
        await change()
        return real(args, script)
      })
      const { outcome, tries } = await applyIn(machine, after, { nft })
      expect({ outcome, tries }).toEqual({ outcome: 'applied', tries: 2 })
      expect((await applyIn(machine, after)).outcome).toBe('unchanged')
    },
  )

  test('an interrupted system call is tried once more, and no more than once', async () => {
    let calls = 0
    const stderr = 'netlink: Error: Interrupted system call\n'
    const nft = (times: number): NftProgram =>
      except('-f', async (real, args, script) => (calls++ < times ? { how: 'exited', code: 1, stdout: '', stderr } : real(args, script)))
    expect((await applyIn(machine, after, { nft: nft(1) })).tries).toBe(2)
    calls = 0
    expect(await failureOf(applyIn(machine, before, { nft: nft(9) }))).toContain('Interrupted system call')
    expect(calls).toBe(2)
  })

  const MEDDLING = 'flush chain ip kubenft services; add set ip kubenft mine { type ipv4_addr; }'
  const meddled = (): NftProgram =>
    except('-f', async (real, args, script) => {
      if (!script?.includes('delete table')) await machine.must(['nft', MEDDLING])
      return real(args, script)
    })

  test('the table changes before the run, and the plan still fits: the read-back finds it, and the table goes back', async () => {
    const said = await failureOf(applyIn(machine, after, { nft: meddled() }))
    expect(said).toContain('chain services: is not in the kernel as it was asked for')
    expect(said).toContain('set mine: is not in the kernel as it was asked for')
    expect(said).toContain('The table is again as it was before.')
    expect(await listing(machine)).toBe(old)
  })

  test('without rollback it stays, and the next apply repairs it', async () => {
    expect(await failureOf(applyIn(machine, after, { nft: meddled(), rollback: false }))).toContain('--no-rollback')
    expect(await listing(machine)).not.toBe(old)
    expect((await applyIn(machine, after)).outcome).toBe('applied')
    expect((await applyIn(machine, after)).outcome).toBe('unchanged')
  })

  test('going back to no table at all', async () => {
    await machine.must(['nft', 'flush', 'ruleset'])
    const nft = except('-f', async (real, args, script) => {
      const ended = await real(args, script)
      if (!script?.includes('delete table')) await machine.must(['nft', MEDDLING])
      return ended
    })
    await failureOf(applyIn(machine, after, { nft }))
    expect(await listing(machine)).toBe('')
  })

  test('told to stop: at each step before the run nothing has happened, and after it everything', async () => {
    for (const step of ['list', '--check', '-f'] as const) {
      const controller = new AbortController()
      const nft = except(step, async (real, args, script) => {
        controller.abort('SIGTERM')
        return real(args, script)
      })
      const stopped = applyIn(machine, after, { nft, signal: controller.signal })
      await expect(stopped).rejects.toMatchObject({ signal: 'SIGTERM' })
      if (step !== '-f') expect(await listing(machine)).toBe(old)
    }
    expect((await applyIn(machine, after)).outcome).toBe('unchanged')
  })

  test('a lock that was taken is released whatever happens', async () => {
    let held = 0
    const lock = (): (() => void) => {
      held++
      return () => {
        held--
      }
    }
    await applyIn(machine, after, { lock })
    await failureOf(applyIn(machine, before, { lock, planner: spoiled(before, '172.30.9.9') }))
    await failureOf(applyIn(machine, before, { lock, nft: systemNft({ program: '/nowhere/nft' }) }))
    expect(held).toBe(0)
  })
})
