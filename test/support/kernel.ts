import { execFileSync } from 'node:child_process'

/**
 * Runs a shell script inside a network namespace of its own, which goes with it; root is not needed where user namespaces are allowed.
 * @throws with the script's standard error when it fails.
 */
export function inNamespace(script: string): string {
  const asRoot = process.getuid?.() === 0
  const args = asRoot ? ['--net', 'sh', '-e'] : ['--user', '--map-root-user', '--net', 'sh', '-e']
  return execFileSync('unshare', args, { input: script, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 28 })
}

/** The shell command that loads an nft script. */
export function loading(script: string): string {
  return `nft -f - <<'END_OF_SCRIPT'\n${script}END_OF_SCRIPT\n`
}

interface Listed {
  readonly [kind: string]: { handle?: number; elem?: readonly unknown[]; chain?: string }
}

/**
 * What `nft -j list table` printed, in a form in which equal rulesets are equal: without handles, everything sorted but the rules of a chain.
 */
export function normalized(listing: string): string[] {
  const loose: string[] = []
  const rules = new Map<string, string[]>()
  for (const entry of (JSON.parse(listing) as { nftables: Listed[] }).nftables) {
    const [kind, { handle: _, ...object }] = Object.entries(entry)[0] as [string, Listed[string]]
    if (kind === 'rule') rules.set(object.chain as string, [...(rules.get(object.chain as string) ?? []), JSON.stringify(object)])
    else if (kind !== 'metainfo')
      loose.push(
        JSON.stringify([
          kind,
          { ...object, ...(object.elem === undefined ? {} : { elem: object.elem.map(element => JSON.stringify(element)).sort() }) },
        ]),
      )
  }
  return [...loose.sort(), ...[...rules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([chain, list]) => JSON.stringify([chain, list]))]
}
