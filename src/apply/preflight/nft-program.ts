import type { Finding } from './finding.ts'
import type { Run, RunResult } from './run.ts'

/** The oldest nft whose syntax the rulesets keep to; kube-proxy asks for the same. */
const MINIMUM = '1.0.1'

/** What is known of nft: whether it is fit to be asked further, and the tables that are there, as `ip kube-proxy`. */
export interface NftProgram {
  readonly findings: readonly Finding[]
  /** Undefined when nft cannot be used. */
  readonly tables: readonly string[] | undefined
}

const VERSION_WHY = 'Older ones lack syntax that the rules need, and fail in the middle of a load or read back something else.'
const RIGHTS_WHY = 'Only root, or a process with CAP_NET_ADMIN over the network namespace, may read and change its packet rules.'
const INSTALL = `Install nftables ${MINIMUM} or newer.`

export async function checkNft(run: Run): Promise<NftProgram> {
  const version = checkVersion(await run('nft', ['--version']))
  if (version.severity === 'error') return { findings: [version], tables: undefined }
  // Chains, because nft 1.0.6 fetches every element of every set before it lists tables: 0.9 s with 44,000 services, and 3 ms for this.
  const { finding, tables } = readTables(await run('nft', ['list', 'chains']))
  return { findings: [version, finding], tables }
}

function checkVersion(result: RunResult): Finding {
  const id = 'nft-version'
  const broken = (what: string): Finding => ({ id: 'nft', severity: 'error', what, why: 'nft loads the rules.', action: INSTALL })
  if (result.code === 127) return broken('the program nft is missing')
  if (result.code !== 0) return broken(`nft cannot be run (${ended(result)})`)
  const found = /v(\d+\.\d+(?:\.\d+)*)/.exec(result.stdout)?.[1]
  if (found === undefined) return broken('nft does not tell its version')
  if (atLeast(found, MINIMUM)) return { id, severity: 'ok', what: `nft ${found}`, why: VERSION_WHY }
  return { id, severity: 'error', what: `nft ${found} is too old`, why: VERSION_WHY, action: INSTALL }
}

function readTables(result: RunResult): { readonly finding: Finding; readonly tables: readonly string[] | undefined } {
  const { code, stdout, stderr } = result
  if (code === 0) {
    const tables = [...stdout.matchAll(/^table (\S+ \S+) \{$/gm)].map(([, name = '']) => name)
    return { finding: { id: 'rights', severity: 'ok', what: 'allowed to read packet rules', why: RIGHTS_WHY }, tables }
  }
  const tables = undefined
  if (/Operation not permitted/.test(stderr)) {
    const action =
      'Run as root, or give the process CAP_NET_ADMIN (in a pod: securityContext.capabilities.add: [NET_ADMIN] and hostNetwork: true).'
    return { finding: { id: 'rights', severity: 'error', what: 'not allowed to read packet rules', why: RIGHTS_WHY, action }, tables }
  }
  const what = `nft cannot list tables (${ended(result)})`
  const why = 'What is there decides what has to change.'
  const action = 'Run nft list tables; a kernel without nf_tables (CONFIG_NF_TABLES) is one reason.'
  return { finding: { id: 'nft-list', severity: 'error', what, why, action }, tables }
}

/** How a program ended, with the last it said. */
function ended({ code, signal, stderr }: RunResult): string {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`
  const said = stderr.trim().split('\n').at(-1)
  return said === undefined || said === '' ? how : `${how}: ${said}`
}

/** Whether a dotted version is not older than another. */
export function atLeast(version: string, minimum: string): boolean {
  const [found, wanted] = [version, minimum].map(text => text.split('.').map(Number)) as [number[], number[]]
  for (const [index, part] of wanted.entries()) {
    const difference = (found[index] ?? 0) - part
    if (difference !== 0) return difference > 0
  }
  return true
}
