import type { Run } from './run.ts'

/** Files of /proc that say how the host, or the namespace, is set up, by path; one that this kernel lacks or that is empty is not there. */
export type HostFacts = ReadonlyMap<string, string>

const FILES = [
  '/proc/sys/kernel/osrelease',
  '/proc/net/dev',
  '/proc/net/ip_tables_names',
  '/proc/net/ip6_tables_names',
  '/proc/sys/net/ipv4/ip_forward',
  '/proc/sys/net/ipv4/conf/all/route_localnet',
  '/proc/sys/net/ipv4/conf/*/rp_filter',
  '/proc/sys/net/ipv6/conf/all/forwarding',
  '/proc/sys/net/bridge/bridge-nf-call-iptables',
  '/proc/sys/net/bridge/bridge-nf-call-ip6tables',
  '/proc/sys/net/netfilter/nf_conntrack_count',
  '/proc/sys/net/netfilter/nf_conntrack_max',
  '/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_established',
  '/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_close_wait',
]

/**
 * Reads them all with one process, inside the namespace, whose own values these files show. What goes wrong is in `problem`: then not even
 * the kernel's version could be read.
 */
export async function readHostFacts(run: Run): Promise<{ readonly facts: HostFacts; readonly problem?: string }> {
  const { stdout, stderr } = await run('sh', ['-c', `grep -sH '' ${FILES.join(' ')}`])
  const facts = new Map<string, string>()
  for (const line of stdout.split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const path = line.slice(0, colon)
    const known = facts.get(path)
    facts.set(path, known === undefined ? line.slice(colon + 1) : `${known}\n${line.slice(colon + 1)}`)
  }
  return facts.has('/proc/sys/kernel/osrelease') ? { facts } : { facts, problem: stderr.trim() || 'no answer' }
}
