import { type Family, parseAddress } from '../address.ts'
import type { Options, VirtualServer, VirtualServers } from './contents.ts'
import { eachLine, optionsOf, wordsOf } from './lines.ts'

/** Long names of options, which some versions print, with the short ones that are used here. */
const SHORT: Readonly<Record<string, string>> = {
  '--add-service': '-A',
  '--add-server': '-a',
  '--tcp-service': '-t',
  '--udp-service': '-u',
  '--fwmark-service': '-f',
  '--real-server': '-r',
  '--scheduler': '-s',
  '--persistent': '-p',
  '--netmask': '-M',
  '--sched-flags': '-b',
  '--ops': '-o',
  '--masquerading': '-m',
  '--gatewaying': '-g',
  '--ipip': '-i',
  '--weight': '-w',
  '--u-threshold': '-x',
  '--l-threshold': '-y',
}

const SERVICE_OPTIONS: ReadonlySet<string> = new Set(['-t', '-u', '--sctp-service', '-f'])
const WITH_VALUE: ReadonlySet<string> = new Set(['-s', '-p', '-M', '--pe', '-b', '-w', '-x', '-y', '--tun-type', '--tun-port'])

/**
 * Parses what `ipvsadm -Sn` prints: virtual servers (`-A`) and their destinations (`-a`), of both families. Options that are not known are kept
 * as they stand. Addresses become canonical.
 * @param file name of the dump in diagnostics
 * @throws DiagnosticsError when a line is anything else, such as a dump with names in place of addresses and port numbers
 */
export function parseVirtualServers(text: string, file?: string): VirtualServers {
  const servers = new Map<string, { readonly options: Options; readonly destinations: Map<string, Options> } & VirtualServer>()
  eachLine(text, file, line => {
    const [command, serviceOption, address, ...rest] = wordsOf(line).map(word => SHORT[word] ?? word)
    if ((command !== '-A' && command !== '-a') || !SERVICE_OPTIONS.has(serviceOption ?? '') || address === undefined)
      return `"${line}" is nothing that ipvsadm -Sn prints`
    const numeric = serviceOption === '-f' ? mark(address) : endpoint(address)
    if (numeric === undefined) return `"${address}" is not a numeric service: dump it with ipvsadm -Sn`
    const service = `${serviceOption} ${numeric}`
    const server = servers.get(service)
    if (command === '-A') {
      if (server !== undefined) return `virtual server ${service} stands here twice`
      servers.set(service, { options: optionsOf(rest, WITH_VALUE), destinations: new Map() })
      return undefined
    }
    const [real, destination, ...options] = rest
    if (real !== '-r' || destination === undefined) return `"${line}" names no destination (-r)`
    const name = endpoint(destination)
    if (name === undefined) return `"${destination}" is not a numeric destination: dump it with ipvsadm -Sn`
    if (server === undefined) return `there is no virtual server ${service} above`
    server.destinations.set(name, optionsOf(options, WITH_VALUE))
    return undefined
  })
  return servers
}

function mark(text: string): string | undefined {
  return /^\d+$/.test(text) ? text : undefined
}

/** `10.0.0.1:80` or `[fd00::1]:80` with a canonical address; IPv6 without brackets, as old versions print it, is understood too. */
function endpoint(text: string): string | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const address = parseAddress(bracketed ?? plain ?? '')
  if (address === undefined) return undefined
  return address.family === 'ipv6' ? `[${address.text}]:${port}` : `${address.text}:${port}`
}

/** The virtual servers of one family. One by firewall mark is IPv4 unless it has `-6`. */
export function virtualServersOf(servers: VirtualServers, family: Family): VirtualServers {
  const isIPv6 = (service: string, { options }: VirtualServer): boolean =>
    service.startsWith('-f ') ? options.includes('-6') : service.includes('[')
  return new Map([...servers].filter(([service, server]) => isIPv6(service, server) === (family === 'ipv6')))
}
