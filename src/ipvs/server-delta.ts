import type { Origin } from '../delta/operation.ts'
import type { Options, VirtualServer } from './contents.ts'
import type { IpvsCommand } from './operation.ts'

/** The commands that make a virtual server that is there, or not, into another one. New destinations come before old ones go. */
export function* changeServer(
  service: string,
  before: VirtualServer | undefined,
  after: VirtualServer,
  origins: readonly Origin[],
): Generator<IpvsCommand> {
  const { options } = after
  if (before === undefined) yield { verb: 'add', object: { kind: 'virtual server', service, options }, origins }
  else if (!sameOptions(before.options, options)) yield { verb: 'edit', object: { kind: 'virtual server', service, options }, origins }
  if (before?.destinations === after.destinations) return
  for (const [destination, wanted] of after.destinations) {
    const known = before?.destinations.get(destination)
    if (known !== undefined && sameOptions(known, wanted)) continue
    yield { verb: known === undefined ? 'add' : 'edit', object: { kind: 'destination', service, destination, options: wanted }, origins }
  }
  for (const [destination, known] of before?.destinations ?? [])
    if (!after.destinations.has(destination))
      yield { verb: 'delete', object: { kind: 'destination', service, destination, options: known }, origins }
}

export function deleteServer(service: string, { options }: VirtualServer, origins: readonly Origin[]): IpvsCommand {
  return { verb: 'delete', object: { kind: 'virtual server', service, options }, origins }
}

function sameOptions(one: Options, other: Options): boolean {
  return one === other || (one.length === other.length && one.every((option, index) => option === other[index]))
}
