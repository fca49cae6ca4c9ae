interface MemoryChain {
  readonly builtin: boolean
  rules: string[]
}

const BUILTINS: Readonly<Record<string, readonly string[]>> = {
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
}

/** Tables that take the input of `iptables-restore --noflush` as strictly as the kernel does. */
export class MemoryTables {
  #tables = new Map(
    Object.entries(BUILTINS).map(([table, names]) => [
      table,
      new Map(names.map((name): [string, MemoryChain] => [name, { builtin: true, rules: [] }])),
    ]),
  )

  /** @throws when the kernel would refuse the input; the tables are as they were then. */
  restore(text: string): void {
    const tables = structuredClone(this.#tables)
    let chains: Map<string, MemoryChain> | undefined
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue
      const [verb = '', name = ''] = line.split(' ', 2)
      if (line.startsWith('*')) chains = tables.get(line.slice(1))
      else if (chains === undefined) throw new Error(`outside of a table: ${line}`)
      else if (line === 'COMMIT') {
        assertTargets(chains)
        chains = undefined
      } else if (line.startsWith(':')) {
        if (!line.endsWith(' - [0:0]') || chains.get(verb.slice(1))?.builtin) throw new Error(line)
        chains.set(verb.slice(1), { builtin: false, rules: [] })
      } else {
        const chain = chains.get(name)
        if (chain === undefined) throw new Error(`no chain: ${line}`)
        const rule = line.slice(verb.length + name.length + 2)
        if (verb === '-A') chain.rules.push(rule)
        else if (verb === '-D' && chain.rules.includes(rule)) chain.rules.splice(chain.rules.indexOf(rule), 1)
        else if (verb === '-X' && !chain.builtin && chain.rules.length === 0) chains.delete(name)
        else throw new Error(`refused: ${line}`)
      }
    }
    if (chains !== undefined) throw new Error('no COMMIT')
    this.#tables = tables
  }

  /** The rules of every chain by `table chain`. */
  contents(): Record<string, readonly string[]> {
    return Object.fromEntries(
      [...this.#tables].flatMap(([table, chains]) => [...chains].map(([name, { rules }]) => [`${table} ${name}`, rules])),
    )
  }
}

/** A table in which a rule jumps to a chain that is not there does not load. */
function assertTargets(chains: ReadonlyMap<string, MemoryChain>): void {
  for (const { rules } of chains.values())
    for (const rule of rules) {
      const target = / ?-j (KUBE-\S+)/.exec(rule)?.[1]
      if (target !== undefined && !chains.has(target)) throw new Error(`no target: ${rule}`)
    }
}
