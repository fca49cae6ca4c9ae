import { type Diagnostic, DiagnosticsError } from '../diagnostics.ts'
import { printCommand } from '../nft/print.ts'
import type { Mismatch } from './compare.ts'
import { type Complaint, describeFailure, type Failure } from './nft/failure.ts'
import { operationAt, type Plan, reasons } from './plan.ts'

/** Complaints that are told of: one wrong thing can make nft complain of every use. */
const MOST = 10

/** Why our tables could not be read. */
export function unreadable(failure: Failure): DiagnosticsError {
  return new DiagnosticsError([
    {
      severity: 'error',
      summary: `the live table cannot be read: ${describeFailure(failure)}`,
      detail: `Nothing was changed. ${advice(failure)}`,
    },
  ])
}

/** Why a transaction did not happen: each complaint with the command, and the services that it is there for. */
export function refused(failure: Failure, plan: Plan, script: string, after: string): DiagnosticsError {
  const complaints = failure.why === 'refused' ? failure.complaints : []
  if (complaints.length === 0)
    return new DiagnosticsError([{ severity: 'error', summary: describeFailure(failure), detail: `${after} ${advice(failure)}` }])
  return new DiagnosticsError(complaints.slice(0, MOST).map(complaint => explained(complaint, plan, script, after)))
}

function explained({ line, message }: Complaint, plan: Plan, script: string, after: string): Diagnostic {
  const found = line === undefined ? undefined : operationAt(plan, script, line)
  if (found === undefined) return { severity: 'error', summary: `nft refused: ${message}`, detail: after }
  const { operation, table } = found
  return {
    severity: 'error',
    place: { object: printCommand(operation, table) },
    summary: `nft refused: ${message}`,
    detail: `It is there for: ${reasons(operation).slice(0, 3).join('; ')}. ${after}`,
  }
}

function advice(failure: Failure): string {
  switch (failure.why) {
    case 'not started':
      return 'Install nftables 1.0.1 or later; kubenft preflight tells what else is missing.'
    case 'killed':
      return 'Look for what ended it (out of memory, a time limit), then try again.'
    case 'silent':
      return 'This nft may be broken: try `nft list tables`.'
    case 'refused':
      return /not permitted|permission denied/i.test(failure.stderr)
        ? 'Run it as root, or with CAP_NET_ADMIN in the network namespace.'
        : 'kubenft preflight tells what is missing.'
  }
}

/** Where the table that was read back is not what was asked for. */
export function different(found: readonly Mismatch[], after: string): DiagnosticsError {
  const shown = found.slice(0, MOST).map(
    ({ object, asked, found }): Diagnostic => ({
      severity: 'error',
      place: { object },
      summary: 'is not in the kernel as it was asked for',
      detail: `asked: ${asked}; found: ${found}`,
    }),
  )
  const rest = found.length > MOST ? `, ${found.length - MOST} more of them` : ''
  return new DiagnosticsError([
    ...shown,
    {
      severity: 'error',
      summary: `the table differs from what was asked for${rest}`,
      detail: `Somebody else may have changed it meanwhile. ${after}`,
    },
  ])
}
