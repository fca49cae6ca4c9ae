import type { Lane } from './lane.ts'
import { ToolError } from './tool-error.ts'

/**
 * What a restart costs: the live table is listed and read, a new state takes it over with all objects, and finds nothing to do.
 * @throws ToolError when it does find something, or nft fails.
 */
export async function measureRestart({ candidate, loaded, workload, samples }: Lane, budgetMs: number): Promise<void> {
  if (loaded === undefined || candidate.recover === undefined) return
  const { namespace } = loaded
  const { listCommand, takeOver } = candidate.recover
  const { snapshot } = workload
  const start = performance.now()
  const { code, stopped, stderr } = await namespace.run(listCommand, { timeoutMs: budgetMs })
  if (stopped) return
  if (code !== 0) throw new ToolError(`${listCommand} failed with ${code}: ${stderr}`)
  const operations = takeOver(namespace.stdout, snapshot)
  const ms = performance.now() - start
  if (operations > 0) throw new ToolError(`a restart found ${operations} operations to do where there was nothing`)
  samples.restartMs.push(ms)
}
