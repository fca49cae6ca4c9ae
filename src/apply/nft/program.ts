import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'

/** How one run of nft ended. */
export type Ended =
  | { readonly how: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly how: 'killed'; readonly signal: string; readonly stderr: string }
  | { readonly how: 'not started'; readonly reason: string }

/** Runs nft to its end with these arguments and a script on its standard input. Never rejects. */
export type NftProgram = (args: readonly string[], script?: string) => Promise<Ended>

export interface NftProgramOptions {
  /** Network namespace: a name that `ip netns` knows, or the path of a namespace file; this process's own unless given. */
  readonly netns?: string | undefined
  /** Default `nft`. */
  readonly program?: string
}

/** A listing of 44,000 services is 6 MB. */
const MAX_BUFFER = 1 << 29

export function namespacePath(netns: string): string {
  return path.resolve('/run/netns', netns)
}

/**
 * The nft of this machine. It runs in a process group of its own, so that an interrupt from the terminal cannot end it in the middle of a transaction. The
 * script is a whole file before nft starts: were it a pipe, nft would take what has arrived as the whole transaction when this process is killed.
 */
export function systemNft({ netns, program = 'nft' }: NftProgramOptions = {}): NftProgram {
  const [command = program, ...before] = [...(netns === undefined ? [] : ['nsenter', `--net=${namespacePath(netns)}`, '--']), program]
  return async (args, script) => {
    let stdin: number | 'ignore' = 'ignore'
    try {
      stdin = script === undefined ? 'ignore' : fileOf(script)
    } catch (error) {
      return { how: 'not started', reason: `its script cannot be written into ${tmpdir()}: ${(error as Error).message}` }
    }
    try {
      const result = await execa(command, [...before, ...args], {
        // Any descriptor is fine; execa's types name only a few.
        stdin: stdin as 3 | 'ignore',
        reject: false,
        detached: true,
        cleanup: false,
        stripFinalNewline: false,
        maxBuffer: MAX_BUFFER,
        env: { LC_ALL: 'C' },
      })
      if (result.exitCode === undefined) {
        return result.signal === undefined
          ? { how: 'not started', reason: result.originalMessage ?? result.shortMessage ?? 'unknown' }
          : { how: 'killed', signal: result.signal, stderr: result.stderr }
      }
      // What nsenter says, and a shell, when there is no such program or it may not be run.
      if (netns !== undefined && (result.exitCode === 127 || result.exitCode === 126))
        return { how: 'not started', reason: result.stderr.trim() }
      return { how: 'exited', code: result.exitCode, stdout: result.stdout, stderr: result.stderr }
    } finally {
      if (typeof stdin === 'number') closeSync(stdin)
    }
  }
}

/** A descriptor of a nameless file with this text, at its start. */
function fileOf(text: string): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'kubenft-'))
  try {
    const file = path.join(folder, 'script.nft')
    writeFileSync(file, text)
    return openSync(file, 'r')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
