import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Budget, readBytes } from './bytes.ts'
import { decode } from './decode.ts'
import { Unreadable } from './unreadable.ts'

/** The names that are read in a folder, as kubectl reads them, and their gzip forms. */
const IN_FOLDER = /\.(yaml|yml|json)(\.gz)?$/

const PROBLEMS: Readonly<Record<string, readonly [summary: string, detail: string]>> = {
  ENOENT: ['the file does not exist', 'Check the path. - reads standard input.'],
  EACCES: ['the file may not be read', 'Check who may read it and its folders: ls -l.'],
  EPERM: ['the file may not be read', 'Check who may read it and its folders: ls -l.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Check the path.'],
  ELOOP: ['the path is a loop of symbolic links', 'Check the path.'],
  ENAMETOOLONG: ['the path is too long', 'Check the path.'],
}

/** The files that a path stands for: itself, or the files directly in a folder, sorted by name. Folders in it are not read. */
export async function filesOf(path: string): Promise<readonly string[]> {
  if (path === '-') return [path]
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = (await readdir(path)).filter(name => IN_FOLDER.test(name)).toSorted()
    const files: string[] = []
    for (const name of names) if (!(await stat(join(path, name))).isDirectory()) files.push(join(path, name))
    if (files.length > 0) return files
  } catch (error) {
    throw fileProblem(error)
  }
  throw new Unreadable(
    'the folder has no file to read',
    'Files named *.yaml, *.yml or *.json, and these with .gz, are read directly in the folder; folders in it are not.',
  )
}

/** The text of a file, or of standard input for `-`. @throws Unreadable */
export async function readText(file: string, stdin: AsyncIterable<unknown>, budget: Budget): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readBytes(file === '-' ? stdin : createReadStream(file, { highWaterMark: 1024 ** 2 }), budget)
  } catch (error) {
    throw error instanceof Unreadable ? error : fileProblem(error)
  }
  return decode(bytes)
}

/** An error of the file system, said for people. */
export function fileProblem(error: unknown): Unreadable {
  const { code = '', message } = error as NodeJS.ErrnoException
  const [summary, detail] = PROBLEMS[code] ?? [`the file cannot be read: ${message}`, 'Check the file and the disk it is on.']
  return new Unreadable(summary, detail)
}
