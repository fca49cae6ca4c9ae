import type { Family } from '../../address.ts'
import type { Fragment } from '../../nft/fragment.ts'
import type { Finding } from './finding.ts'
import type { HostFacts } from './host-facts.ts'
import { atLeast } from './nft-program.ts'
import { PROBE_WORDS, type Probe, probesFor } from './probes.ts'
import type { Run } from './run.ts'

const MINIMUM = '5.13'
/** Only ever checked, never made. */
const TABLE = 'kubenft-preflight'

export function checkKernelVersion(facts: HostFacts): Finding {
  const release = facts.get('/proc/sys/kernel/osrelease') ?? ''
  const id = 'kernel-version'
  const why = `Kernels before ${MINIMUM} have bugs in nf_tables that service rules run into; kube-proxy’s nftables mode asks for the same.`
  const version = /^\d+\.\d+/.exec(release)?.[0]
  if (version !== undefined && atLeast(version, MINIMUM)) return { id, severity: 'ok', what: `Linux ${release}`, why }
  return { id, severity: 'error', what: `Linux ${release} is too old`, why, action: `Use a kernel of version ${MINIMUM} or later.` }
}

interface Asked {
  readonly family: Family
  readonly probe: Probe
}

/**
 * Asks the kernel, by way of `nft --check`, whether it has every expression that the rulesets use. One process when all is well; one for each
 * expression when something is missing, to name it. Nothing is changed, but the kernel may load modules to find out.
 */
export async function checkExpressions(
  run: Run,
  rulesets: readonly { readonly family: Family; readonly fragment?: Fragment }[],
): Promise<Finding[]> {
  const asked = rulesets.flatMap(({ family, fragment }) => probesFor(fragment).map(probe => ({ family, probe })))
  if ((await ask(run, asked)) === undefined) {
    const names = [...new Set(asked.map(({ probe }) => probe.id))].join(', ')
    return [{ id: 'kernel-expressions', severity: 'ok', what: `the kernel has ${names}`, why: 'The rules use them.' }]
  }
  const findings: Finding[] = []
  const refused = new Set<string>()
  for (const { family, probe } of asked) {
    // Without tables of this family nothing else has a meaning.
    if (['nf-tables', ...(probe.needs ?? [])].some(id => refused.has(`${family} ${id}`))) continue
    const said = await ask(run, [{ family, probe }])
    if (said === undefined) continue
    refused.add(`${family} ${probe.id}`)
    findings.push(missing(family, probe, said))
  }
  return findings.length > 0 ? findings : [together(asked)]
}

function missing(family: Family, { id, option, module, purpose }: Probe, said: string): Finding {
  const words = PROBE_WORDS[family]
  const unknown = /syntax error/.test(said)
  return {
    id: `kernel-${id}-${family}`,
    severity: 'error',
    what: `${unknown ? 'nft does not understand' : 'the kernel refuses'} ${id} in ${family} rules: ${said}`,
    why: `It is needed for ${purpose}.`,
    action: unknown ? 'Use a newer nft.' : `Load the module ${module(words)}, or use a kernel built with ${option(words)}.`,
  }
}

function together(asked: readonly Asked[]): Finding {
  const why = 'The rules use them all at once.'
  const action = 'Run the check again; if it stays, look at the kernel’s log.'
  return {
    id: 'kernel-expressions',
    severity: 'error',
    what: `the kernel refuses ${asked.length} expressions together, though each alone is taken`,
    why,
    action,
  }
}

/** What nft says against these probes; undefined: nothing. */
async function ask(run: Run, asked: readonly Asked[]): Promise<string | undefined> {
  const lines = new Set<string>()
  for (const { family, probe } of asked) {
    const words = PROBE_WORDS[family]
    const table = `${words.ip} ${TABLE}`
    lines.add(`add table ${table}`)
    for (const command of probe.script(words)) lines.add(command.replace(/\bT\b/, table).replaceAll(/\bC\b/g, `probe-${probe.id}`))
  }
  const { code, signal, stderr } = await run('nft', ['--check', '-f', '-'], { input: `${[...lines].join('\n')}\n` })
  if (code === 0) return undefined
  if (signal !== null) return `nft was ended by ${signal}`
  return /Error: (.*)/.exec(stderr)?.[1] ?? (stderr.trim() || `exit code ${code}`)
}
