import type { Step } from './candidate.ts'
import type { Lane, UpdateRound } from './lane.ts'
import type { Namespace } from './namespace.ts'
import { ToolError } from './tool-error.ts'
import { UPDATES, type UpdateName } from './updates.ts'

export interface UpdateOptions {
  readonly round: number
  /** Updates by each way to apply them, unless the time is up before. */
  readonly samples: number
  /** No update is begun after so long. */
  readonly roundMs: number
  /** A single update is stopped after so long. */
  readonly budgetMs: number
}

/**
 * One round of updates of a kind. Each is applied and then undone, so that every one meets the same cluster. Where nft is the program, a process for
 * each and the resident one take turns; without rules in a kernel, only the computation is measured.
 * @throws ToolError with what the program said when it refuses a transaction.
 */
export async function measureUpdates(lane: Lane, name: UpdateName, { round, samples, roundMs, budgetMs }: UpdateOptions): Promise<void> {
  const { workload, resident } = lane
  const result: UpdateRound = { operations: [], computeMs: [], applyMs: [], applyCpuMs: [], sessionMs: [] }
  const rounds = lane.samples.updates.get(name)
  if (rounds === undefined) lane.samples.updates.set(name, [result])
  else rounds.push(result)
  const end = performance.now() + roundMs
  for (let i = 0; i < samples && (i === 0 || performance.now() < end); i++) {
    const n = round * samples + i
    const { changes, undo } = UPDATES[name](workload, n)
    const start = performance.now()
    const step = resident.update(changes)
    result.computeMs.push(performance.now() - start)
    result.operations.push(step.operations)
    await applyByProcess(lane, name, step, budgetMs, result)
    await applyQuietly(lane, resident.update(undo), budgetMs)
    if (lane.loaded?.session === undefined) continue
    const again = resident.update(changes)
    const sent = performance.now()
    await lane.loaded.session.apply(again.script, budgetMs)
    result.sessionMs.push(performance.now() - sent)
    await applyQuietly(lane, resident.update(undo), budgetMs)
  }
}

/** A transaction that does not end in time leaves a kernel of which nobody knows what it holds: the lane has none from then on. */
async function applyByProcess(lane: Lane, name: UpdateName, { script }: Step, budgetMs: number, result: UpdateRound): Promise<void> {
  if (lane.loaded === undefined) return
  const { namespace } = lane.loaded
  const before = await namespace.cpuTime()
  const start = performance.now()
  const stopped = await load(lane, namespace, script, budgetMs)
  const wallMs = performance.now() - start
  if (stopped) {
    lane.samples.updateOverMs.set(name, budgetMs)
    await lane.close()
    return
  }
  const after = await namespace.cpuTime()
  result.applyMs.push(wallMs)
  result.applyCpuMs.push({ user: after.user - before.user, system: after.system - before.system })
}

/** Applies what is not measured in the fastest way. */
async function applyQuietly(lane: Lane, { script }: Step, budgetMs: number): Promise<void> {
  if (lane.loaded === undefined) return
  const { namespace, session } = lane.loaded
  if (session !== undefined) await session.apply(script, budgetMs)
  else if (await load(lane, namespace, script, budgetMs)) await lane.close()
}

/** Returns whether it was stopped because the time was up. */
async function load({ candidate }: Lane, namespace: Namespace, script: string, timeoutMs: number): Promise<boolean> {
  namespace.write('update', script)
  const { code, stopped, stderr } = await namespace.run(candidate.updateCommand('update'), { timeoutMs })
  if (code !== 0 && !stopped) throw new ToolError(`${candidate.name}: ${candidate.updateCommand('FILE')} failed with ${code}: ${stderr}`)
  return stopped
}
