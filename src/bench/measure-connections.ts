import { CONNECTIONS_PROGRAM } from './connections-program.ts'
import type { Lane } from './lane.ts'
import type { Namespace } from './namespace.ts'
import { ToolError } from './tool-error.ts'
import type { Workload } from './workload.ts'

/** Services that get connections, spread over all of them. */
const TARGETS = 500
const DURATION_MS = 1000
const CONCURRENCY = 16

/** Pod and service addresses are the namespace's own, whichever they are, so that every endpoint answers. */
const SETUP = `ip link set lo up && ip address add 192.0.2.1/32 dev lo &&
ip route add local 10.128.0.0/9 dev lo && ip route add local 10.96.0.0/12 dev lo src 192.0.2.1`

/**
 * TCP connections through cluster IPs, from the node itself to endpoints in the same namespace: set up, reset, next. What a program can do bounds
 * the figure; what the rules cost shows where it falls with the size.
 * @throws ToolError when a connection fails, or what would make one is missing.
 */
export async function measureConnections({ loaded, samples, workload }: Lane): Promise<void> {
  if (loaded === undefined) return
  const { namespace } = loaded
  if (samples.connectionsPerSecond.length === 0) {
    namespace.write('setup', SETUP)
    await succeed(namespace, 'sh setup')
  }
  namespace.write('connections.cjs', CONNECTIONS_PROGRAM)
  namespace.write('connections.json', JSON.stringify({ ...targetsOf(workload), concurrency: CONCURRENCY, durationMs: DURATION_MS }))
  await succeed(namespace, `'${process.execPath.replaceAll("'", "'\\''")}' connections.cjs`)
  const { connections, failures, ms } = JSON.parse(namespace.stdout) as { connections: number; failures: number; ms: number }
  if (failures > 0) throw new ToolError(`${failures} of ${connections + failures} connections failed`)
  samples.connectionsPerSecond.push((connections / ms) * 1000)
}

async function succeed(namespace: Namespace, command: string): Promise<void> {
  const { code, stderr } = await namespace.run(command, { timeoutMs: DURATION_MS + 10_000 })
  if (code !== 0) throw new ToolError(`${command} failed with ${code}: ${stderr}`)
}

function targetsOf({ services }: Workload) {
  const step = Math.max(1, Math.floor(services.length / TARGETS))
  const chosen = services.filter((_, i) => i % step === 0)
  return {
    targets: chosen.map(({ service: { spec } }) => ({ host: spec.clusterIP, port: spec.ports![0]!.port })),
    listen: [...new Set(chosen.flatMap(({ slices }) => slices.flatMap(({ ports }) => ports?.map(({ port }) => port) ?? [])))],
  }
}
