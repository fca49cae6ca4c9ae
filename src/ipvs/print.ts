import type { IpSets, VirtualServers } from './contents.ts'

/** As `ipvsadm -Sn`: each virtual server, then its destinations. */
export function printVirtualServers(servers: VirtualServers): string {
  const lines: string[] = []
  for (const [service, { options, destinations }] of servers) {
    lines.push(words(`-A ${service}`, options))
    for (const [destination, destinationOptions] of destinations) lines.push(words(`-a ${service} -r ${destination}`, destinationOptions))
  }
  return text(lines)
}

/** As `ipset save`, but with all sets before the entries, as `ipset restore` wants them when sets refer to each other. */
export function printSets(sets: IpSets): string {
  const lines: string[] = []
  for (const [name, { type, options }] of sets) lines.push(words(`create ${name} ${type}`, options))
  for (const [name, { entries }] of sets) for (const [entry, options] of entries) lines.push(words(`add ${name} ${entry}`, options))
  return text(lines)
}

/** One address a line. */
export function printAddresses(addresses: Iterable<string>): string {
  return text([...addresses])
}

function words(start: string, options: readonly string[]): string {
  return options.length === 0 ? start : `${start} ${options.join(' ')}`
}

function text(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
