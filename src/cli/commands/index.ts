import type { Command } from '../options.ts'
import { apply } from './apply.ts'
import { bench } from './bench.ts'
import { completion } from './completion.ts'
import { deleteCommand } from './delete.ts'
import { diff } from './diff.ts'
import { gen } from './gen.ts'
import { preflight } from './preflight.ts'
import { render } from './render.ts'
import { status } from './status.ts'
import { version } from './version.ts'

/** Every subcommand, in the order of `kubenft --help`. */
export const COMMANDS = [
  render,
  diff,
  apply,
  status,
  deleteCommand,
  preflight,
  gen,
  bench,
  version,
  completion,
] as unknown as readonly Command<never>[]
