import type { Family } from '../../address.ts'
import { type Diagnostic, DiagnosticsError } from '../../diagnostics.ts'
import { COMMANDS, type Dump, type DumpKind } from './recognise.ts'

export type ModeName = 'nftables' | 'iptables' | 'ipvs'

/** The dumps that tell something about a mode. */
const KINDS: Readonly<Record<ModeName, readonly DumpKind[]>> = {
  nftables: ['nft', 'nft-json'],
  iptables: ['iptables'],
  ipvs: ['ipvsadm', 'ipset', 'addresses', 'iptables'],
}

/** The dumps of a mode. @throws DiagnosticsError when there is none, saying which mode those that are there belong to */
export function dumpsOf(mode: ModeName, dumps: readonly Dump[]): readonly Dump[] {
  const own = dumps.filter(({ kind }) => KINDS[mode].includes(kind))
  if (own.length > 0) return own
  throw new DiagnosticsError(dumps.map(dump => ofOtherMode(mode, dump)))
}

function ofOtherMode(mode: ModeName, { kind, file }: Dump): Diagnostic {
  const modes = (Object.keys(KINDS) as ModeName[]).filter(name => KINDS[name].includes(kind))
  const wanted = KINDS[mode].map(name => `\`${COMMANDS[name]}\``).join(', ')
  return {
    severity: 'error',
    place: { file },
    summary: `this is what \`${COMMANDS[kind]}\` prints, which says nothing about mode ${mode}`,
    detail: `Choose --mode ${modes.join(' or --mode ')}, or give what one of these prints: ${wanted}.`,
  }
}

/** The iptables dump of a family. @throws DiagnosticsError when it is unclear which one that is */
export function iptablesDumpOf(family: Family, dumps: readonly Dump[], families: readonly Family[]): Dump | undefined {
  const rules = dumps.filter(({ kind }) => kind === 'iptables')
  const unclear = rules.filter(dump => dump.family === undefined)
  if (unclear.length > 0 && families.length > 1)
    throw new DiagnosticsError(
      unclear.map(({ file }) => ({
        severity: 'error',
        place: { file },
        summary: 'it is unclear whether these rules are for IPv4 or IPv6',
        detail: 'Say it with --family, or keep the first line of iptables-save, which tells.',
      })),
    )
  const own = rules.filter(dump => (dump.family ?? family) === family)
  if (own.length > 1)
    throw new DiagnosticsError(
      own.map(({ file }) => ({
        severity: 'error',
        place: { file },
        summary: `there are ${own.length} iptables dumps of ${family}`,
        detail: 'Give one: that of the variant that kube-proxy uses (iptables-legacy-save or iptables-nft-save).',
      })),
    )
  return own[0]
}
