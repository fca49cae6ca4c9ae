import type { Family } from '../address.ts'
import type { Origin } from '../delta/operation.ts'
import { printRestore } from '../iptables/operation.ts'
import { INTERFACE } from './contents.ts'
import type { IpvsCommand, IpvsObject, IpvsOperation, RulesCommand } from './operation.ts'

/** What ends the input of iptables-restore in a shell script. A line of that input is never this word alone. */
const END = 'END_OF_RULES'

/**
 * Operations as a shell script, one command a line; rules that change together are one transaction of iptables-restore. Run it with `sh -e`.
 * @param explain lines of comment for the reasons of an operation; they stand above the first of several operations with the same ones
 */
export function printCommands(
  operations: readonly IpvsOperation[],
  family: Family,
  explain: (origins: readonly Origin[]) => readonly string[] = () => [],
): string {
  const lines: string[] = []
  let reasons = ''
  for (let index = 0; index < operations.length; index++) {
    const operation = operations[index] as IpvsOperation
    if (operation.verb === 'restore') {
      const rules: RulesCommand['operation'][] = []
      for (let next: IpvsOperation | undefined = operation; next?.verb === 'restore'; next = operations[++index]) rules.push(next.operation)
      index--
      reasons = ''
      lines.push(`${family === 'ipv4' ? 'iptables' : 'ip6tables'}-restore --noflush <<'${END}'`)
      lines.push(printRestore(rules, ({ origins }) => explain(origins)) + END)
      continue
    }
    const comments = explain(operation.origins).map(line => `# ${line}`)
    if (comments.join('\n') !== reasons) lines.push(...comments)
    reasons = comments.join('\n')
    lines.push(printCommand(operation, family))
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** One command, with every word safe for a shell. */
export function printCommand({ verb, object }: IpvsCommand, family: Family): string {
  // The other family may have made the interface already.
  if (object.kind === 'interface') return `ip link show dev ${INTERFACE} >/dev/null 2>&1 || ip link add ${INTERFACE} type dummy`
  return words(verb, object, family)
    .flatMap(word => word.split(' '))
    .map(quoted)
    .join(' ')
}

function words(verb: IpvsCommand['verb'], object: Exclude<IpvsObject, { kind: 'interface' }>, family: Family): readonly string[] {
  switch (object.kind) {
    case 'set':
      return verb === 'add' ? ['ipset create', object.name, object.type, ...object.options] : ['ipset destroy', object.name]
    case 'entry':
      return ['ipset', verb === 'add' ? 'add' : 'del', object.set, object.entry]
    case 'address':
      return ['ip addr', verb === 'add' ? 'add' : 'del', `${object.address}/${family === 'ipv4' ? 32 : 128}`, 'dev', INTERFACE]
    case 'virtual server':
      return ['ipvsadm', { add: '-A', edit: '-E', delete: '-D' }[verb], object.service, ...(verb === 'delete' ? [] : object.options)]
    case 'destination': {
      const { service, destination, options } = object
      return ['ipvsadm', { add: '-a', edit: '-e', delete: '-d' }[verb], service, '-r', destination, ...(verb === 'delete' ? [] : options)]
    }
  }
}

/** A word in single quotes, unless it has nothing that a shell could take for its own: brackets of IPv6 addresses are patterns for file names. */
function quoted(word: string): string {
  return /^[\w.,:/=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
