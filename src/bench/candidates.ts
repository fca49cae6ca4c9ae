import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { Candidate, CandidateName } from './candidate.ts'
import { iptablesCandidate } from './iptables-candidate.ts'
import { nftCandidate } from './nft-candidate.ts'

const CANDIDATES: Readonly<Record<CandidateName, () => Candidate>> = {
  maps: () => nftCandidate('maps'),
  'kube-proxy-1.36': () => nftCandidate('kube-proxy-1.36'),
  'kube-proxy-1.34': () => nftCandidate('kube-proxy-1.34'),
  'iptables-legacy-restore': () => iptablesCandidate('iptables-legacy-restore'),
  'iptables-nft-restore': () => iptablesCandidate('iptables-nft-restore'),
}

export const CANDIDATE_NAMES = Object.keys(CANDIDATES) as CandidateName[]

export function candidate(name: CandidateName): Candidate {
  return CANDIDATES[name]()
}

/** Whether a program is on the PATH. */
export function isInstalled(tool: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some(folder => isExecutable(path.join(folder, tool)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
