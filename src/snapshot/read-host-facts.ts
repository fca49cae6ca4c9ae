import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'
import { readJson } from './documents/json.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { ReadOptions } from './read-snapshot.ts'
import { hostFactsSchema } from './schemas/host-facts.ts'
import { readText } from './text/files.ts'
import { position } from './text/position.ts'
import { Unreadable } from './text/unreadable.ts'
import type { HostFacts } from './types.ts'
import { project } from './validation/project.ts'
import { Validator } from './validation/validator.ts'

const validator = new Validator(hostFactsSchema)

/**
 * Reads the facts of a host (`--host`), a JSON file.
 * @throws DiagnosticsError with everything that is wrong in it
 */
export async function readHostFacts(path: string, { stdin = process.stdin, limits }: ReadOptions): Promise<HostFacts> {
  const { totalBytes } = { ...DEFAULT_LIMITS, ...limits }
  const problems: Diagnostic[] = []
  const wrong = (field: string | undefined, summary: string, detail: string): void => {
    problems.push({ severity: 'error', place: { file: path, ...(field ? { path: field } : {}) }, summary, detail })
  }
  try {
    const text = await readText(path, stdin, { total: totalBytes, left: totalBytes })
    const result = readJson(text)
    if ('values' in result) {
      const facts = project(hostFactsSchema, result.values[0])
      if (validator.check(facts, wrong)) return facts as HostFacts
    } else wrong(undefined, `${position(text, result.problem.offset)}: ${result.problem.summary}`, result.problem.detail)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    wrong(undefined, error.message, error.detail)
  }
  throw new DiagnosticsError(problems)
}
