import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { generateCluster } from '../gen/index.ts'
import type { Lane } from './lane.ts'

/** What a resident state keeps alive, fed by objects that nothing else holds. */
export function measureMemory({ candidate, workload, samples }: Lane): void {
  const before = liveBytes()
  const resident = candidate.resident()
  resident.start(generateCluster(workload.size))
  samples.residentBytes = Math.max(0, liveBytes() - before)
  // The state has to outlive the second look.
  resident.update([])
}

/** Bytes in use after a full garbage collection. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
