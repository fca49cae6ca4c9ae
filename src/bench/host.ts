import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { Namespace } from './namespace.ts'
import type { BenchHost } from './report.ts'

/** What the figures depend on. Tries whether a network namespace can be had; `problem` says why not. */
export async function inspectHost(signal: AbortSignal): Promise<{ readonly host: BenchHost; readonly problem?: string }> {
  const cpus = os.cpus()
  const host = {
    kernel: os.release(),
    nft: nftVersion(),
    node: process.version,
    cpu: cpus[0]?.model ?? 'unknown',
    cpus: cpus.length,
    memoryBytes: os.totalmem(),
  }
  try {
    await (await Namespace.open(signal)).close()
    return { host: { ...host, namespace: process.getuid?.() === 0 ? 'root' : 'user namespace' } }
  } catch (error) {
    signal.throwIfAborted()
    return { host: { ...host, namespace: null }, problem: (error as Error).message }
  }
}

function nftVersion(): string | null {
  try {
    return execFileSync('nft', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
