#!/usr/bin/env node
import { run } from './run.ts'

// A closed pipe (`kubenft render … | head`) is the reader's choice, not a failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 2))
}
process.exitCode = await run(process.argv.slice(2), process)
