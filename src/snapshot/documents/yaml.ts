import { CORE_SCHEMA, load, loadAll, YAMLException } from 'js-yaml'
import type { TextProblem } from './document.ts'

const OPTIONS = { schema: CORE_SCHEMA }

/** What a parse gives: the values of the documents, or the first problem. */
export type Parsed = { readonly values: readonly unknown[] } | { readonly problem: TextProblem }

/** One YAML document. JSON is YAML too. Times stay strings, and there are no merge keys, which kubectl never prints. */
export function readYaml(text: string): Parsed {
  return guarded(text, () => [load(text, OPTIONS)])
}

/** Any YAML text, with directives and `...` lines. */
export function readYamlStream(text: string): Parsed {
  return guarded(text, () => loadAll(text, undefined, OPTIONS))
}

function guarded(text: string, parse: () => readonly unknown[]): Parsed {
  try {
    const values = parse()
    if (!mayHaveAliases(text) || expandedSize(values) <= text.length) return { values }
    return {
      problem: {
        offset: text.indexOf('*'),
        summary: 'the aliases of this YAML stand for more values than it has characters',
        detail: 'Write the objects out: kubectl get … -o yaml prints no aliases.',
      },
    }
  } catch (error) {
    // The count of values is recursive: thousands of aliases, each inside the next, run out of stack.
    if (error instanceof RangeError)
      return {
        problem: { offset: 0, summary: 'the YAML is nested too deeply', detail: 'No Kubernetes object is: take the snapshot again.' },
      }
    if (!(error instanceof YAMLException)) throw error
    return {
      problem: {
        offset: error.mark?.position ?? 0,
        summary: `the YAML is broken: ${error.reason}`,
        detail: 'Correct it, or take the snapshot again with kubectl get … -o yaml.',
      },
    }
  }
}

function mayHaveAliases(text: string): boolean {
  return text.includes('&') && text.includes('*')
}

/** How many values there are when every alias is written out; a value inside itself is infinite. Each is looked at once, however often it is used. */
function expandedSize(value: unknown, known = new Map<object, number>()): number {
  if (typeof value !== 'object' || value === null) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  known.set(value, Number.POSITIVE_INFINITY)
  let size = 1
  for (const part of Object.values(value)) size += expandedSize(part, known)
  known.set(value, size)
  return size
}
