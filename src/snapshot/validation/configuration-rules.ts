import type { KubeProxyConfiguration } from '../types.ts'
import type { ObjectProblem } from './service-rules.ts'

/** kube-proxy's own rules that compare fields (kubeproxy/validation); it does not start with a configuration that breaks them. */
export function checkConfiguration({ nodePortAddresses = [] }: KubeProxyConfiguration, problem: ObjectProblem): void {
  const index = nodePortAddresses?.indexOf('primary') ?? -1
  if (index >= 0 && nodePortAddresses?.length !== 1) {
    problem(
      `nodePortAddresses[${index}]`,
      'primary stands beside other entries',
      'Write ["primary"] alone, or only CIDRs: kube-proxy refuses both together.',
    )
  }
}
