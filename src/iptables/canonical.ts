import { isEverything, list, mark, network, probability, protocol, setMark } from './canonical-values.ts'
import { type Option, optionsOf } from './options.ts'

/** Matches that look at a packet without remembering anything, and so can be asked in any order. All others keep theirs. */
const STATELESS = new Set(['comment', 'tcp', 'udp', 'sctp', 'conntrack', 'state', 'addrtype', 'mark', 'set', 'physdev', 'multiport'])
/** Matches whose options mean the same in any order; of others it is not known. */
const UNORDERED = new Set([...STATELESS, 'recent', 'statistic', 'nfacct'])
/** What iptables-save prints although it is the default. */
const DEFAULTS = new Set([
  'recent --mask 255.255.255.255',
  'recent --mask ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'recent --rsource',
  'REJECT --reject-with icmp-port-unreachable',
  'REJECT --reject-with icmp6-port-unreachable',
])
/** Long names of options of the rule itself. */
const SHORT: Readonly<Record<string, string>> = {
  '--source': '-s',
  '--src': '-s',
  '--destination': '-d',
  '--dst': '-d',
  '--in-interface': '-i',
  '--out-interface': '-o',
  '--protocol': '-p',
  '--proto': '-p',
  '--match': '-m',
  '--jump': '-j',
  '--goto': '-g',
  '--set-counters': '-c',
  '--source-port': '--sport',
  '--destination-port': '--dport',
}
/** How a value is spelt, by option and, where others have an option of this name, by module. */
const VALUES: Readonly<Record<string, (text: string) => string>> = {
  'mark --mark': mark,
  'statistic --probability': probability,
  'conntrack --ctstate': list,
  'conntrack --ctstatus': list,
  'state --state': list,
  'addrtype --src-type': list,
  'addrtype --dst-type': list,
}

/** A match or a target with its options. */
interface Module {
  readonly name: string
  readonly options: string[]
}

/**
 * A rule in a form in which texts that the kernel takes for the same rule are equal: what kube-proxy gives to iptables-restore and what
 * iptables-save prints after that, in every version. What is not known here stays as it is, in its order; counters are left out.
 */
export function canonicalRule(rule: string): string {
  const own: string[] = []
  const matches: Module[] = []
  let protocolName = ''
  let target: Module | undefined
  let current: Module = { name: '', options: own }
  const open = (name: string): Module => {
    const known = matches.find(match => match.name === name && match.options.length === 0)
    if (known !== undefined) return known
    const match = { name, options: [] }
    matches.push(match)
    return match
  }

  for (const { name: spelling, negated, values } of optionsOf(rule)) {
    const name = SHORT[spelling] ?? spelling
    const option = { name, negated, values }
    const [value = ''] = values
    switch (name) {
      case '-m':
        current = open(value)
        break
      case '-j':
      case '-g':
        target = { name: `${name} ${value}`, options: [] }
        current = { name: value, options: target.options }
        break
      case '-p':
        protocolName = protocol(value) ?? ''
        if (protocolName === '') break
        own.push(optionText('', { name, negated, values: [protocolName] }))
        current = open(protocolName)
        break
      case '-s':
      case '-d': {
        const net = network(value)
        if (negated || !isEverything(net)) own.push(optionText('', { name, negated, values: [net] }))
        break
      }
      case '-i':
      case '-o':
      case '-f':
        own.push(optionText('', option))
        break
      case '-c':
        break
      default:
        current.options.push(optionText(current.name, option))
    }
  }
  // Options of a protocol load its match by themselves; without options it asks for nothing.
  const asked = matches.filter(({ name, options }) => options.length > 0 || name !== protocolName)
  const stateless = asked.filter(({ name }) => STATELESS.has(name))
  const ordered = asked.filter(({ name }) => !STATELESS.has(name))
  return [
    ...own.sort(),
    ...stateless.map(matchText).sort(),
    ...ordered.map(matchText),
    ...(target === undefined ? [] : [target.name, ...target.options.filter(text => text !== '')]),
  ].join(' ')
}

function matchText({ name, options }: Module): string {
  const meant = options.filter(text => text !== '')
  return ['-m', name, ...(UNORDERED.has(name) ? meant.sort() : meant)].join(' ')
}

/** An option as text; empty when it says what is so anyway. */
function optionText(module: string, option: Option): string {
  const { name, negated, values } = option
  const key = `${module} ${name}`
  if (module === 'MARK' && name.endsWith('mark')) return setMark(option)
  const spell = VALUES[key]
  const text = [name, ...values.map(value => quoted(spell === undefined ? value : spell(value)))].join(' ')
  return DEFAULTS.has(`${module} ${text}`) ? '' : `${negated ? '! ' : ''}${text}`
}

function quoted(value: string): string {
  return /^[^\s"!-][^\s"]*$/.test(value) ? value : JSON.stringify(value)
}
