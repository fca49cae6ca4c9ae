import { parseAddress } from '../address.ts'
import { INTERFACE } from './contents.ts'
import { eachLine } from './lines.ts'

/**
 * Parses what `ip -o addr show kube-ipvs0` prints, or one address a line; addresses of both families, canonical. Link-local IPv6 addresses are
 * left out: the kernel gives an interface one when it comes up.
 * @param file name of the dump in diagnostics
 * @throws DiagnosticsError when a line is anything else, such as the output of `ip addr` without `-o`, or another interface's
 */
export function parseAddresses(text: string, file?: string): ReadonlySet<string> {
  const addresses = new Set<string>()
  eachLine(text, file, line => {
    const [, interfaceName, shown] = /^\d+: +([^\s@]+)(?:@\S+)? +inet6? (\S+)/.exec(line) ?? []
    if (interfaceName !== undefined && interfaceName !== INTERFACE) return `the address is on ${interfaceName}, not on ${INTERFACE}`
    const address = parseAddress((shown ?? line).replace(/\/\d+$/, ''))
    if (address === undefined) return `"${line}" is neither an address nor a line of ip -o addr show ${INTERFACE}`
    if (/ scope link\b/.test(line) && address.family === 'ipv6') return undefined
    addresses.add(address.text)
    return undefined
  })
  return addresses
}
