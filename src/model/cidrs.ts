import { type Family, parseCIDR } from '../address.ts'
import { DiagnosticsError } from '../diagnostics.ts'

/**
 * The CIDRs of one family in a field of the KubeProxyConfiguration, canonical, each once, in the order of the list.
 * @throws DiagnosticsError when one is not a CIDR: kube-proxy does not start then, and to leave it out could open what it should close.
 */
export function cidrsOf(list: readonly string[], family: Family, path: string): string[] {
  const found = new Set<string>()
  for (const text of list) {
    const cidr = parseCIDR(text)
    if (cidr === undefined) throw unusable(path, `"${text}" is not a CIDR`, 'Write an address and a prefix length, such as 10.0.0.0/8.')
    if (cidr.family === family) found.add(cidr.text)
  }
  return [...found]
}

/** A value of the KubeProxyConfiguration with which kube-proxy does not start. */
export function unusable(path: string, summary: string, detail: string): DiagnosticsError {
  return new DiagnosticsError([
    {
      severity: 'error',
      place: { object: 'KubeProxyConfiguration', path },
      summary,
      detail: `kube-proxy does not start with it. ${detail}`,
    },
  ])
}
