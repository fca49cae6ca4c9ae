import { type TableName, tablePath } from '../../nft/print.ts'
import { type Failure, parseComplaints } from './failure.ts'
import type { Ended, NftProgram } from './program.ts'

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

/** What kubenft asks nft for. Only tables that are named are looked at: others may hold things that this nft cannot read. */
export class Nft {
  readonly #run: NftProgram

  constructor(run: NftProgram) {
    this.#run = run
  }

  /**
   * `nft list table`, as it prints it, with protocols as numbers (to name one, nft reads /etc/protocols again for each element); undefined when there is no such table,
   * which takes nft's word for it.
   */
  async list(table: TableName): Promise<Result<string | undefined>> {
    const ended = await this.#run(['--numeric-protocol', 'list', 'table', ...tablePath(table).split(' ')])
    const failure = failureOf(ended)
    if (failure !== undefined)
      return failure.why === 'refused' && isAbsent(failure.stderr, table) ? done(undefined) : { ok: false, failure }
    const text = ended.how === 'exited' ? ended.stdout : ''
    return text.trim() === '' ? { ok: false, failure: { why: 'silent' } } : done(text)
  }

  /** Has the kernel look at a transaction without carrying it out. */
  check(script: string): Promise<Result<void>> {
    return this.#feed(['--check', '-f', '-'], script)
  }

  /** Carries out a script, with all its tables, as one transaction. */
  load(script: string): Promise<Result<void>> {
    return this.#feed(['-f', '-'], script)
  }

  async #feed(args: readonly string[], script: string): Promise<Result<void>> {
    const failure = failureOf(await this.#run(args, script))
    return failure === undefined ? done(undefined) : { ok: false, failure }
  }
}

function done<T>(value: T): Result<T> {
  return { ok: true, value }
}

function failureOf(ended: Ended): Failure | undefined {
  if (ended.how === 'not started') return { why: 'not started', reason: ended.reason }
  if (ended.how === 'killed') return { why: 'killed', signal: ended.signal }
  const { code, stderr } = ended
  return code === 0 ? undefined : { why: 'refused', code, complaints: parseComplaints(stderr), stderr }
}

/** nft shows the command below its complaint; "did you mean" follows when a table of another family has the name. */
function isAbsent(stderr: string, table: TableName): boolean {
  const [complaint = '', command = ''] = stderr.split('\n')
  return /^Error: No such file or directory(?:; did you mean .*)?$/.test(complaint) && command.trim() === `list table ${tablePath(table)}`
}
