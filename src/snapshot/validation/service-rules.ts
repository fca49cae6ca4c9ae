import type { Service } from '../types.ts'

/** Reports a problem of an object: JSON path, what is wrong, what to do. */
export type ObjectProblem = (path: string, summary: string, detail: string) => void

/** Rules of the API server that compare fields of a Service (core/validation ValidateService); a cluster cannot hold a Service that breaks them. */
export function checkService({ spec }: Service, problem: ObjectProblem): void {
  const ports = spec.ports ?? []
  if (ports.length === 0 && spec.type !== 'ExternalName' && spec.clusterIP !== 'None') {
    problem(
      'spec.ports',
      'the Service has no ports',
      'Add a port; only headless services (clusterIP: None) and ExternalName may have none.',
    )
  }
  const names = new Map<string, number>()
  const frontends = new Map<string, number>()
  const nodePorts = new Map<string, number>()
  for (const [index, { name = '', port, protocol = 'TCP', nodePort = 0 }] of ports.entries()) {
    const sameName = first(names, name, index)
    if (sameName !== undefined) {
      const both = `ports ${sameName} and ${index}`
      problem(
        `spec.ports[${index}].name`,
        name === '' ? `${both} have no name` : `${both} have the same name "${name}"`,
        'Give each port a name of its own: endpoints find their port by it.',
      )
    }
    const sameFrontend = first(frontends, `${port}/${protocol}`, index)
    if (sameFrontend !== undefined) {
      problem(
        `spec.ports[${index}].port`,
        `ports ${sameFrontend} and ${index} are both ${port}/${protocol}`,
        'Remove one of them or change its number or protocol.',
      )
    }
    const sameNodePort = nodePort === 0 ? undefined : first(nodePorts, `${nodePort}/${protocol}`, index)
    if (sameNodePort !== undefined) {
      problem(
        `spec.ports[${index}].nodePort`,
        `ports ${sameNodePort} and ${index} have the same node port ${nodePort}/${protocol}`,
        'Give each port a node port of its own.',
      )
    }
  }
}

/** The index that was seen with this key before; otherwise remembers this one. */
function first(seen: Map<string, number>, key: string, index: number): number | undefined {
  const earlier = seen.get(key)
  if (earlier === undefined) seen.set(key, index)
  return earlier
}
