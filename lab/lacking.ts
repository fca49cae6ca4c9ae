import { spawnSync } from 'node:child_process'

/** Why this machine cannot make a world of namespaces and load nft rules in it; undefined: it can. */
export function lacking(): string | undefined {
  if (process.platform !== 'linux') return `network namespaces need Linux, this is ${process.platform}`
  const unshare = process.getuid?.() === 0 ? ['--net'] : ['--user', '--map-root-user', '--net']
  const tried = spawnSync('unshare', [...unshare, 'sh', '-c', 'ip -Version && nft list ruleset'], { encoding: 'utf8' })
  if (tried.error !== undefined) return `cannot run unshare: ${tried.error.message}`
  return tried.status === 0 ? undefined : `no network namespace with ip and nft in it: ${tried.stderr.trim()}`
}
