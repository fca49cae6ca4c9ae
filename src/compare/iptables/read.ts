import { DiagnosticsError } from '../../diagnostics.ts'
import { parseRuleset } from '../../iptables/parse.ts'
import type { Ruleset } from '../../iptables/ruleset.ts'
import type { Dump } from '../dumps/recognise.ts'

/** Chains that only one of the modes has, whatever the services are. */
const TELLING = {
  iptables: ['KUBE-NODEPORTS', 'KUBE-EXTERNAL-SERVICES'],
  ipvs: ['KUBE-NODE-PORT', 'KUBE-LOAD-BALANCER', 'KUBE-IPVS-FILTER'],
} as const

/**
 * Reads an iptables dump of a node in this mode.
 * @throws DiagnosticsError when the text is cut short or no dump, and when its rules are those of another mode or of no kube-proxy
 */
export function readRuleset({ text, file }: Dump, mode: keyof typeof TELLING): Ruleset {
  const ruleset = parseRuleset(text, file)
  const has = (name: string): boolean => [...ruleset.values()].some(chains => chains.has(name))
  if (TELLING[mode].some(has)) return ruleset
  const other = mode === 'ipvs' ? 'iptables' : 'ipvs'
  const isOther = TELLING[other].some(has)
  throw new DiagnosticsError([
    {
      severity: 'error',
      place: { file },
      summary: isOther
        ? `these are the rules of a node in mode ${other}, not ${mode}`
        : `the dump has none of the chains of kube-proxy in mode ${mode}`,
      detail: isOther
        ? `Choose --mode ${other}.`
        : 'kube-proxy may use the other variant of iptables (try iptables-legacy-save or iptables-nft-save), or the node may run it in another mode.',
    },
  ])
}
