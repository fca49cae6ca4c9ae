import type { Lane } from './lane.ts'
import { ToolError } from './tool-error.ts'

/** Objects in memory to text. */
export function measureCompile({ candidate, workload, samples }: Lane): void {
  const { snapshot } = workload
  const start = performance.now()
  const text = candidate.compile(snapshot)
  samples.compileMs.push(performance.now() - start)
  samples.scriptBytes = Buffer.byteLength(text)
}

/**
 * A full load into an empty namespace. One that takes longer than the budget is stopped and not tried again; one that takes a good part of it is not
 * repeated.
 * @throws ToolError with what the program said when it refuses the rules.
 */
export async function measureLoad(lane: Lane, budgetMs: number, rounds: number): Promise<void> {
  const { candidate, resident, samples } = lane
  if (lane.broken || samples.loadOverMs !== undefined || (samples.loadMs[0] ?? 0) * rounds > budgetMs) return
  const namespace = await lane.fresh()
  try {
    namespace.write('ruleset', resident.text())
    const before = await namespace.cpuTime()
    const { code, stopped, stderr, wallMs, peakBytes } = await namespace.run(candidate.loadCommand('ruleset'), {
      timeoutMs: budgetMs,
      watchMemory: true,
    })
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
