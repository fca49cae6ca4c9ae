import type { Argv } from 'yargs'
import { apply } from '../../apply/apply.ts'
import { deletePlanner } from '../../apply/delete-plan.ts'
import { lockFileOf, takeLock } from '../../apply/lock.ts'
import { Nft } from '../../apply/nft/nft.ts'
import { systemNft } from '../../apply/nft/program.ts'
import { Stopwatch } from '../../apply/stopwatch.ts'
import { LAYOUTS } from '../../nft/layouts/index.ts'
import { askWhetherTo } from '../ask.ts'
import {
  APPLIED_NODE_OPTIONS,
  type AppliedNodeArguments,
  familiesOf,
  HOST_OPTIONS,
  LOCK_OPTIONS,
  type LockArguments,
} from '../host-options.ts'
import { whileInterruptible } from '../interrupts.ts'
import { write } from '../io.ts'
import type { Command, CommonArguments } from '../options.ts'
import { planView } from '../views/apply.ts'

type Arguments = Pick<AppliedNodeArguments, 'layout' | 'family' | 'netns'> & LockArguments & CommonArguments

const { layout, family } = APPLIED_NODE_OPTIONS

/** `delete` is a word of the language. */
export const deleteCommand: Command<Arguments> = {
  command: 'delete',
  describe: 'Remove the table that apply made from this host, and nothing else',
  builder: yargs => yargs.options({ layout, family, ...HOST_OPTIONS, ...LOCK_OPTIONS }) as unknown as Argv<Arguments>,
  run: (args, io) =>
    whileInterruptible(io, async signal => {
      const { table } = LAYOUTS[args.layout]
      const { outcome, plan } = await apply({
        nft: new Nft(systemNft({ netns: args.netns })),
        table,
        families: familiesOf(args),
        planner: async () => deletePlanner(table),
        openMonitor: async () => undefined,
        lock: () => takeLock(args.lockFile ?? lockFileOf(args.netns)),
        preflight: async () => {},
        confirm: async plan => {
          await write(io.stderr, planView(plan, false))
          return args.yes || askWhetherTo('Delete', { io, stdinIsTaken: false, signal })
        },
        conntrack: async () => undefined,
        rollback: false,
        signal,
        stopwatch: new Stopwatch(),
      })
      const what = {
        applied: `deleted ${plan.tables.length} tables`,
        unchanged: `nothing to do: there is no table ${table}`,
        declined: 'not deleted',
      }
      await write(io.stdout, `${what[outcome]}\n`)
      return outcome === 'declined' ? 2 : 0
    }),
}
