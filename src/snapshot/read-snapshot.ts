import { setImmediate } from 'node:timers/promises'
import type { Report } from '../diagnostics.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { Collector, type LoadedSnapshot } from './objects/collector.ts'
import { Problems } from './objects/problems.ts'
import type { Budget } from './text/bytes.ts'
import { filesOf, readText } from './text/files.ts'
import { Unreadable } from './text/unreadable.ts'

export interface ReadOptions {
  /** Receives warnings; errors are thrown. */
  readonly report: Report
  /** What the path `-` reads; the process's own standard input unless given. */
  readonly stdin?: AsyncIterable<unknown>
  readonly limits?: Partial<Limits>
}

/** A text and the name that diagnostics call it by. */
export interface Source {
  readonly file: string
  readonly text: string
}

/**
 * Reads a snapshot from files, the files directly in folders, and standard input (`-`), each YAML or JSON, plain or in gzip.
 * @throws DiagnosticsError with everything that is wrong in all of them
 */
export async function readSnapshot(
  paths: readonly string[],
  { report, stdin = process.stdin, limits }: ReadOptions,
): Promise<LoadedSnapshot> {
  const { totalBytes, problems } = { ...DEFAULT_LIMITS, ...limits }
  const collector = new Collector(new Problems(report, problems))
  const budget: Budget = { total: totalBytes, left: totalBytes }
  const attempt = async <T>(file: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      collector.unreadable(file, error.message, error.detail)
      return undefined
    }
  }
  for (const path of paths) {
    collector.startInput(path)
    for (const file of (await attempt(path, () => filesOf(path))) ?? []) {
      const text = await attempt(file, () => readText(file, stdin, budget))
      if (text === undefined) continue
      // The event loop goes on meanwhile: signals are heard, and nft is looked after.
      for (const _ of collector.addText(file, text)) await setImmediate()
    }
    collector.endInput()
  }
  return collector.finish()
}

/** The same from texts: nothing but what is given is read. Each text is an input. */
export function parseSnapshot(sources: readonly Source[], { report, limits }: Omit<ReadOptions, 'stdin'>): LoadedSnapshot {
  const collector = new Collector(new Problems(report, { ...DEFAULT_LIMITS, ...limits }.problems))
  for (const { file, text } of sources) {
    collector.startInput(file)
    for (const _ of collector.addText(file, text));
    collector.endInput()
  }
  return collector.finish()
}
