import { endpointName } from '../model/endpoint-slice.ts'
import type { Endpoint, ServicePort, ServicePortView } from '../model/types.ts'
import type { Origin } from './operation.ts'

/** What happened to one service port; undefined before: it is new, after: it is gone. */
export interface ServicePortChange {
  readonly before: ServicePortView | undefined
  readonly after: ServicePortView | undefined
}

/** `Service shop/web port http`, without the port's name where it has none. */
export function subject({ namespace, name, portName }: ServicePort): string {
  return `Service ${namespace}/${name}${portName === '' ? '' : ` port ${portName}`}`
}

/** The change in sentences such as `Service shop/web port http: endpoint 10.1.0.3:8080 added`. Empty when nothing that is named here differs. */
export function explain({ before, after }: ServicePortChange): string[] {
  if (before === undefined || after === undefined) {
    const view = before ?? after
    if (view === undefined) return []
    const count = view.endpoints.reachable.length
    return [`${subject(view.port)}: ${after === undefined ? 'removed' : 'added'} with ${count} endpoint${count === 1 ? '' : 's'}`]
  }
  const sentences = [...settings(before.port, after.port), ...endpoints(before, after)]
  return sentences.map(sentence => `${subject(after.port)}: ${sentence}`)
}

function* settings(before: ServicePort, after: ServicePort): Generator<string> {
  yield* members('external IP', before.externalIPs, after.externalIPs)
  yield* members('load-balancer address', before.loadBalancerVIPs, after.loadBalancerVIPs)
  yield* members('source range', before.sourceRanges, after.sourceRanges)
  const shown = (value: string | number): string => (value === '' || value === 0 ? 'none' : String(value))
  const policy = (local: boolean): string => (local ? 'Local' : 'Cluster')
  const scalars: readonly (readonly [string, string, string])[] = [
    ['cluster IP', shown(before.clusterIP), shown(after.clusterIP)],
    ['port', `${before.port}/${before.protocol}`, `${after.port}/${after.protocol}`],
    ['node port', shown(before.nodePort), shown(after.nodePort)],
    ['health check node port', shown(before.healthCheckNodePort), shown(after.healthCheckNodePort)],
    ['session affinity timeout', shown(before.affinitySeconds), shown(after.affinitySeconds)],
    ['external traffic policy', policy(before.externalPolicyLocal), policy(after.externalPolicyLocal)],
    ['internal traffic policy', policy(before.internalPolicyLocal), policy(after.internalPolicyLocal)],
  ]
  for (const [what, old, now] of scalars) if (old !== now) yield `${what} ${old} is now ${now}`
}

function* members(what: string, before: readonly string[], after: readonly string[]): Generator<string> {
  for (const value of after) if (!before.includes(value)) yield `${what} ${value} added`
  for (const value of before) if (!after.includes(value)) yield `${what} ${value} removed`
}

function* endpoints(before: ServicePortView, after: ServicePortView): Generator<string> {
  const names = (list: readonly Endpoint[]): Set<string> => new Set(list.map(endpointName))
  const [old, now] = [names(before.endpoints.reachable), names(after.endpoints.reachable)]
  for (const name of now) if (!old.has(name)) yield `endpoint ${name} added`
  for (const name of old) if (!now.has(name)) yield `endpoint ${name} removed`
  const [oldLocal, nowLocal] = [names(before.endpoints.local), names(after.endpoints.local)]
  for (const name of nowLocal) if (!oldLocal.has(name) && old.has(name)) yield `endpoint ${name} is now used by policy Local`
  for (const name of oldLocal) if (!nowLocal.has(name) && now.has(name)) yield `endpoint ${name} is no longer used by policy Local`
  if (now.size === 0 && before.endpoints.any !== after.endpoints.any)
    yield after.endpoints.any ? 'has endpoints, none reachable from here' : 'has no endpoints'
}

/** Why an operation is there, in sentences: one line a change. */
export function because(origins: readonly Origin[]): string[] {
  const wanted = origins.filter(origin => origin !== 'live')
  if (wanted.length === 0) return ['in the live table, but of no service of the snapshot']
  return wanted.flatMap(origin => {
    if (origin === 'node') return ['the node, its configuration or the service CIDRs']
    const sentences = explain(origin)
    const port = origin.after?.port ?? origin.before?.port
    return sentences.length > 0 || port === undefined ? sentences : [`${subject(port)}: its place in the rules`]
  })
}
