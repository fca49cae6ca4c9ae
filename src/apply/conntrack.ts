import type { Diagnostic } from '../diagnostics.ts'
import type { NodeContext } from '../model/types.ts'
import { parseFlows } from './conntrack-flows.ts'
import { concernsUdp, type FamilyChange, type FlowFilter, planConntrack } from './conntrack-plan.ts'
import type { Run, RunResult } from './preflight/run.ts'

export interface ConntrackInput {
  readonly run: Run
  readonly families: readonly FamilyChange[]
}

export interface ConntrackResult {
  /** Flows that were forgotten. */
  readonly deleted: number
  /** Why nothing, or not everything, could be done. Warnings: the rules are in place all the same. */
  readonly problems: readonly Diagnostic[]
}

/** A flow that ends while it is being deleted makes conntrack before 1.4.9 stop there: what is left is for the next try. */
const TRIES = 3
/** Delete commands times flows in the table. Each command walks the table, some 2.4 µs a flow (conntrack 1.4.7, kernel 6.18), so this is 25 s. */
const MAX_WORK = 10_000_000

/**
 * Makes the kernel forget the UDP flows that go where their service would not send them any more, so that their next packet is dispatched anew. To be
 * called after the rules are in place. Lists the flows once a family and deletes with one command, however many services there are;
 * runs nothing when no UDP service port is concerned. Calling it again finds nothing left to do.
 */
export async function cleanConntrack({ run, families }: ConntrackInput): Promise<ConntrackResult> {
  let deleted = 0
  const problems: Diagnostic[] = []
  for (const change of families) {
    if (!concernsUdp(change)) continue
    const result = await cleanFamily(run, change)
    deleted += result.deleted
    problems.push(...result.problems)
    if (result.missing === true) break
  }
  return { deleted, problems }
}

interface FamilyResult extends ConntrackResult {
  /** Whether it is the program that is missing. */
  readonly missing?: boolean
}

async function cleanFamily(run: Run, change: FamilyChange): Promise<FamilyResult> {
  const { node } = change
  let deleted = 0
  let failure: RunResult | undefined
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const listing = await run('conntrack', ['-L', '-f', node.family, '-p', 'udp'])
    if (listing.code === 127) return { deleted, problems: [MISSING], missing: true }
    if (listing.code !== 0) return { deleted, problems: [problem('list', listing)] }
    const flows = [...parseFlows(listing.stdout)]
    const filters = planConntrack(change, flows)
    if (filters.length === 0) return { deleted, problems: [] }
    if (filters.length * flows.length > MAX_WORK) return forgetAll(run, node, filters.length)
    const deletion = await deleteFlows(run, node, filters)
    deleted += count(deletion)
    if (deletion.code === 0) return { deleted, problems: [] }
    failure = deletion
  }
  return { deleted, problems: failure === undefined ? [] : [problem('delete', failure)] }
}

/**
 * `-R` takes many commands in one process, from conntrack 1.4.7 on; before that the shell runs one a line, where 1 means that nothing matched any more.
 * `-R` opens standard input by name, which fails for the socket that Node makes of it, hence `cat`.
 */
const DELETE = `if conntrack -R /dev/null >/dev/null 2>&1; then cat | conntrack -R -
else while read -r flags; do conntrack $flags || [ $? = 1 ] || exit 2; done; fi`

function deleteFlows(run: Run, { family }: NodeContext, filters: readonly FlowFilter[]): Promise<RunResult> {
  const commands = filters.map(filter => `-D -f ${family} -p udp ${flagsOf(filter).join(' ')}\n`)
  return run('sh', ['-c', DELETE], { input: commands.join('') })
}

function flagsOf({ destination, port, answeredBy, answeredPort }: FlowFilter): string[] {
  return [
    ...(destination === undefined ? [] : ['--orig-dst', destination]),
    ...(port === undefined ? [] : ['--orig-port-dst', String(port)]),
    ...['--reply-src', answeredBy, '--reply-port-src', String(answeredPort)],
  ]
}

/** When precision would take too long: flows that are as they should be are dispatched anew too. */
async function forgetAll(run: Run, { family }: NodeContext, filters: number): Promise<FamilyResult> {
  const deletion = await run('conntrack', ['-D', '-f', family, '-p', 'udp'])
  const deleted = count(deletion)
  if (deletion.code !== 0 && deleted === 0) return { deleted, problems: [problem('delete', deletion)] }
  return {
    deleted,
    problems: [
      {
        severity: 'warning',
        summary: `all ${family} UDP flows were forgotten, not only the stale ones`,
        detail: `Stale flows to ${filters} different places would have taken too long one by one. Clients of UDP services may be sent to another endpoint.`,
      },
    ],
  }
}

function count({ stdout }: RunResult): number {
  return stdout.split('\n').filter(line => line.startsWith('udp ')).length
}

const EFFECT =
  'The rules are in place, but established UDP flows may still go to endpoints that are gone until they have been silent for nf_conntrack_udp_timeout.'

const MISSING: Diagnostic = {
  severity: 'warning',
  summary: 'the program conntrack is missing, stale UDP flows stay',
  detail: `${EFFECT} Install conntrack-tools (package conntrack on Debian).`,
}

function problem(verb: 'list' | 'delete', { code, signal, stderr }: RunResult): Diagnostic {
  const end = signal === null ? `exit code ${code}` : `signal ${signal}`
  return {
    severity: 'warning',
    summary: `conntrack could not ${verb} UDP flows (${end})`,
    detail: `${stderr.trim().split('\n').at(-1)}. ${EFFECT}`,
  }
}
