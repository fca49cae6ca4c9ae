/** One thing that nft complains of. `line` counts from 1 and is absent when nft names none. */
export interface Complaint {
  readonly line?: number
  /** `Device or resource busy` */
  readonly message: string
}

/** Why nft did not do what it was asked for. In every case its transaction is either wholly carried out or not at all. */
export type Failure =
  | { readonly why: 'not started'; readonly reason: string }
  | { readonly why: 'killed'; readonly signal: string }
  | { readonly why: 'refused'; readonly code: number; readonly complaints: readonly Complaint[]; readonly stderr: string }
  /** It said that all is well, and printed nothing where it has to print something. */
  | { readonly why: 'silent' }

const COMPLAINT = /^(?:\S*?:(\d+):\d+(?:-\d+)?: )?Error: (?:Could not process rule: )?(.*)$/gm

/** Reads `/dev/stdin:3:25-40: Error: Could not process rule: No such file or directory` and its kind. */
export function parseComplaints(stderr: string): Complaint[] {
  return [...stderr.matchAll(COMPLAINT)].map(([, line, message = '']) => ({
    message,
    ...(line === undefined ? {} : { line: Number(line) }),
  }))
}

/** What a table that changed under us, or a call that was interrupted, looks like. A fresh read and one more try can help. */
const PASSING = /Device or resource busy|File exists|No such file or directory|Interrupted system call|Resource temporarily unavailable/

export function mayPass(failure: Failure): boolean {
  return failure.why === 'refused' && PASSING.test(failure.stderr)
}

export function describeFailure(failure: Failure): string {
  switch (failure.why) {
    case 'not started':
      return `nft cannot be run: ${failure.reason}`
    case 'killed':
      return `nft was ended by ${failure.signal}`
    case 'silent':
      return 'nft printed nothing and reported no error'
    case 'refused': {
      const said = failure.complaints[0]?.message ?? failure.stderr.trim().split('\n')[0] ?? ''
      return said === '' ? `nft failed with exit code ${failure.code} and said nothing` : `nft refused: ${said}`
    }
  }
}
