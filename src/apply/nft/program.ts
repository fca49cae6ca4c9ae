import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

export function namespacePath(netns: string): string {
  return path.resolve('/run/netns', netns)
}

/** The program and arguments that run nft. */
export function nftCommand({ netns, program = 'nft' }: NftProgramOptions): readonly [string, ...string[]] {
  return netns === undefined ? [program] : ['nsenter', `--net=${namespacePath(netns)}`, '--', program]
}

/**
 * The nft of this machine. It runs in a process group of its own, so that an interrupt from the terminal cannot end it in the middle of a transaction. The
 * script is a whole file before nft starts: were it a pipe, nft would take what has arrived as the whole transaction when this process is killed.
 */
export function systemNft({ netns, program = 'nft' }: NftProgramOptions = {}): NftProgram {
  const [command, ...before] = nftCommand({ netns, program })
  return async (args, script) => {
    let files: Files
    try {
      files = openFiles(script)
    } catch (error) {
      return { how: 'not started', reason: `its files cannot be written into ${tmpdir()}: ${(error as Error).message}` }
    }
    try {
      const result = await execa(command, [...before, ...args], {
        // Any descriptor is fine; execa's types name only a few.
        stdin: files.script as 3,
        stdout: files.output as 3,
        reject: false,
        detached: true,
        cleanup: false,
        stripFinalNewline: false,
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
      return { how: 'exited', code: result.exitCode, stdout: readFileSync(files.written, 'utf8'), stderr: result.stderr }
    } finally {
      for (const descriptor of Object.values(files)) closeSync(descriptor)
    }
  }
}

/** Descriptors of nameless files. */
interface Files {
  readonly script: number
  readonly output: number
  /** The output again, to be read from its start. */
  readonly written: number
}

/** A file for the output, because nft writes every word of a listing by itself: through a pipe 132,000 elements take 2.1 s, into a file 1.3 s. */
function openFiles(script = ''): Files {
  const folder = mkdtempSync(path.join(tmpdir(), 'kubenft-'))
  try {
    const [input, output] = [path.join(folder, 'script.nft'), path.join(folder, 'output')]
    writeFileSync(input, script)
    return { script: openSync(input, 'r'), output: openSync(output, 'w'), written: openSync(output, 'r') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
