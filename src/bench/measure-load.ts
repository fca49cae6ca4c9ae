import type { Lane } from './lane.ts'
import { ToolError } from './tool-error.ts'

/**
 * Bytes of script that surely fit into one transaction without root. There the kernel's default for socket buffers (net.core.wmem_default, 208 KiB)
 * bounds a transaction, and a command can take five times as much in netlink as in text.
 */
const PIECE_BYTES = 32 * 1024

/** Objects in memory to text. */
export function measureCompile({ candidate, workload, samples }: Lane): void {
  const { snapshot } = workload
  const start = performance.now()
  const text = candidate.compile(snapshot)
  samples.compileMs.push(performance.now() - start)
  samples.scriptBytes = Buffer.byteLength(text)
}

/**
 * A full load into an empty namespace; without root, nftables gets it in several transactions. One that takes longer than the budget is stopped and not tried again; one that takes a good part of it is not
 * repeated.
 * @throws ToolError with what the program said when it refuses the rules.
 */
export async function measureLoad(lane: Lane, budgetMs: number, rounds: number): Promise<void> {
  const { candidate, resident, samples } = lane
  if (lane.broken || samples.loadOverMs !== undefined || (samples.loadMs[0] ?? 0) * rounds > budgetMs) return
  const namespace = await lane.fresh()
  try {
    const pieces = namespace.isPrivileged || candidate.tool !== 'nft' ? [resident.text()] : piecesOf(resident.text())
    const inPieces = pieces.length > 1
    for (const [i, piece] of pieces.entries()) namespace.write(inPieces ? `ruleset.${1000 + i}` : 'ruleset', piece)
    const command = candidate.loadCommand(inPieces ? '"$piece"' : 'ruleset')
    const before = await namespace.cpuTime()
    const { code, stopped, stderr, wallMs, peakBytes } = await namespace.run(
      inPieces ? `sh -ec 'for piece in ruleset.*; do ${command}; done'` : command,
      { timeoutMs: budgetMs, watchMemory: !inPieces },
    )
    if (stopped) {
      samples.loadOverMs = budgetMs
      await namespace.close()
      return
    }
    if (code !== 0) throw new ToolError(`${candidate.name}: ${candidate.loadCommand('FILE')} failed with ${code}: ${stderr}`)
    const after = await namespace.cpuTime()
    samples.loadMs.push(wallMs)
    samples.loadCpuMs.push({ user: after.user - before.user, system: after.system - before.system })
    if (peakBytes > 0) samples.peakBytes.push(peakBytes)
  } catch (error) {
    await namespace.close()
    throw error
  }
  await lane.adopt(namespace)
}

/** A script as several that come one after the other, cut at line ends. */
function piecesOf(script: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < script.length; ) {
    const end = start + PIECE_BYTES < script.length ? script.lastIndexOf('\n', start + PIECE_BYTES) + 1 : script.length
    pieces.push(script.slice(start, end))
    start = end
  }
  return pieces
}
