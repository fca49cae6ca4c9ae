import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Diagnostic, DiagnosticsError } from '../../diagnostics.ts'
import { DEFAULT_LIMITS } from '../../snapshot/limits.ts'
import { type Budget, readBytes } from '../../snapshot/text/bytes.ts'
import { decode } from '../../snapshot/text/decode.ts'
import { fileProblem } from '../../snapshot/text/files.ts'
import { Unreadable } from '../../snapshot/text/unreadable.ts'
import { COMMANDS, type Dump, nearlyDump, recognise } from './recognise.ts'

const KNOWN = Object.values(COMMANDS)
  .map(command => `\`${command}\``)
  .join(', ')

/** Dumps, and what else was there. */
export interface FoundDumps {
  readonly dumps: readonly Dump[]
  /** Sentences about files of a folder that were left out. */
  readonly notes: readonly string[]
}

/**
 * Reads saved dumps: a file, every file directly in a folder, or standard input (`-`), plain or in gzip.
 * @throws DiagnosticsError when something cannot be read, or none of it is a dump
 */
export async function readDumps(place: string, stdin: AsyncIterable<unknown>): Promise<FoundDumps> {
  const budget: Budget = { total: DEFAULT_LIMITS.totalBytes, left: DEFAULT_LIMITS.totalBytes }
  const problems: Diagnostic[] = []
  const strangers: Diagnostic[] = []
  const dumps: Dump[] = []
  for (const file of await filesIn(place)) {
    try {
      const text = await readDump(file, stdin, budget)
      const found = recognise(file, text)
      if (found.length === 0) strangers.push(stranger(file, text))
      dumps.push(...found)
    } catch (error) {
      problems.push(unreadable(file, error))
    }
  }
  if (problems.length > 0) throw new DiagnosticsError(problems)
  if (dumps.length === 0) throw new DiagnosticsError(strangers.length > 0 ? strangers : [noFile(place)])
  return { dumps, notes: strangers.map(({ place: at, summary }) => `${at?.file}: ${summary}; it was left out`) }
}

async function filesIn(place: string): Promise<readonly string[]> {
  if (place === '-') return [place]
  try {
    if (!(await stat(place)).isDirectory()) return [place]
    const entries = await readdir(place, { withFileTypes: true })
    return entries
      .filter(entry => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => path.join(place, name))
      .toSorted()
  } catch (error) {
    throw new DiagnosticsError([unreadable(place, error)])
  }
}

async function readDump(file: string, stdin: AsyncIterable<unknown>, budget: Budget): Promise<string> {
  const bytes = await readBytes(file === '-' ? stdin : createReadStream(file, { highWaterMark: 1024 ** 2 }), budget)
  if (bytes.length === 0) return ''
  try {
    return decode(bytes)
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(error.message, SAVED) : error
  }
}

function unreadable(file: string, error: unknown): Diagnostic {
  const { message, detail } = error instanceof Unreadable ? error : fileProblem(error)
  return { severity: 'error', place: { file }, summary: message, detail }
}

const SAVED = `A dump is text that one of these commands printed, plain or in gzip: ${KNOWN}.`

function stranger(file: string, text: string): Diagnostic {
  const summary = text.trim() === '' ? 'the file is empty' : 'this is no dump that kubenft knows'
  return { severity: 'error', place: { file }, summary, detail: nearlyDump(text) ?? SAVED }
}

function noFile(folder: string): Diagnostic {
  return { severity: 'error', place: { file: folder }, summary: 'the folder has no file', detail: `Save dumps in it: ${KNOWN}.` }
}
