/** Chains in which kube-proxy's order between service ports is chance. */
const HUBS = new Set(['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-EXTERNAL-SERVICES', 'KUBE-PROXY-FIREWALL'])
const LAST = 'this must be the last rule'

/**
 * iptables-save text as kube-proxy spells it, in a form in which texts that mean the same are equal: chains sorted, the rules of one chain in their
 * order, those of a hub sorted after it was seen that the rules for node ports stand at its end.
 */
export function comparable(save: string): string[] {
  const chains: string[] = []
  const rules = new Map<string, string[]>()
  let table = ''
  for (const line of save.split('\n')) {
    if (line.startsWith('*')) table = line.slice(1)
    else if (line.startsWith(':')) {
      const name = `${table} ${line.slice(1, line.indexOf(' '))}`
      chains.push(`${name}:`)
      rules.set(name, rules.get(name) ?? [])
    } else if (line.startsWith('-A ')) {
      const [chain = ''] = line.slice(3).split(' ', 1)
      rules.get(`${table} ${chain}`)?.push(line.slice(4 + chain.length)) ?? chains.push(`a rule in no chain: ${line}`)
    }
  }
  for (const [name, list] of rules) {
    const isHub = HUBS.has(name.slice(name.indexOf(' ') + 1))
    if (isHub && list.some((rule, index) => rule.includes(LAST) && list.slice(index).some(later => !later.includes(LAST))))
      chains.push(`${name}: the node ports are not last`)
    chains.push(
      ...(isHub ? list.sort() : list.map((rule, index) => `${String(index).padStart(4, '0')} ${rule}`)).map(rule => `${name}: ${rule}`),
    )
  }
  return chains.sort()
}
