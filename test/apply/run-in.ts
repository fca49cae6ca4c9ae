import type { Namespace } from '../../lab/namespace.ts'
import type { Run } from '../../src/apply/preflight/run.ts'

/** Runs programs in a namespace of the lab, which reports a program that is missing in its own way. */
export function runIn(namespace: Namespace): Run {
  return async (command, args, { input } = {}) => {
    const { code, stdout, stderr } = await namespace.run([command, ...args], input)
    return { code: code ?? (stderr.includes('ENOENT') ? 127 : null), signal: null, stdout, stderr }
  }
}
