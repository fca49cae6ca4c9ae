import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { run } from '../../src/cli/run.ts'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process. */
export async function kubenft(
  argv: readonly string[],
  { stdin = '', env = {} }: { stdin?: string | Buffer; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const [stdout, stderr] = [new Memory(), new Memory()]
  const code = await run(argv, { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr, env })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

class Memory extends Writable {
  text = ''
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** A folder with these files, for the length of a test. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kubenft-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
  return folder
}

/** A List as kubectl prints it, in JSON (which is YAML too). */
export function list(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
