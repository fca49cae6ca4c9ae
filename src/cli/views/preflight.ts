import { styleText } from 'node:util'
import type { Finding } from '../../apply/preflight/finding.ts'
import { refuses } from '../../apply/preflight.ts'
import { printable } from '../../diagnostics.ts'

const STYLES = { error: ['red', 'bold'], warning: ['yellow', 'bold'], ok: ['green'] } as const

/** A line a finding; below those that ask for something, why it matters and what to do. */
export function findingsText(findings: readonly Finding[], color: boolean): string {
  return findings
    .map(({ severity, what, why, action }) => {
      const label = color ? styleText([...STYLES[severity]], severity, { validateStream: false }) : severity
      const more = action === undefined ? '' : `    ${why}\n    ${printable(action, 400)}\n`
      return `${label}: ${printable(what, 400)}\n${more}`
    })
    .join('')
}

export function findingsJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ apiVersion: 'kubenft/v1', kind: 'PreflightResult', fit: !refuses(findings), findings }, null, 2)}\n`
}
