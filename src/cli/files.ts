import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DiagnosticsError } from '../diagnostics.ts'

/**
 * Writes all files into a folder, or none: each goes to a temporary name first, and only when all are on disk are they renamed.
 * @throws DiagnosticsError naming the folder when it cannot be written.
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const temporary = (name: string): string => path.join(folder, `.${name}.${process.pid}.tmp`)
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, text] of files) await writeFile(temporary(name), text)
    for (const name of files.keys()) await rename(temporary(name), path.join(folder, name))
  } catch (error) {
    for (const name of files.keys()) await rm(temporary(name), { force: true }).catch(() => {})
    throw new DiagnosticsError([
      {
        severity: 'error',
        place: { file: folder },
        summary: `cannot be written: ${(error as Error).message}`,
        detail: 'Nothing was changed: choose a folder that exists or can be made, with room for the files.',
      },
    ])
  }
}
