import { DiagnosticsError } from '../diagnostics.ts'
import { type ReadOptions, readSnapshot } from './read-snapshot.ts'
import type { KubeProxyConfiguration } from './types.ts'

/**
 * Reads a KubeProxyConfiguration, or the ConfigMap that holds one (`--config`). Other objects beside it are tolerated.
 * @throws DiagnosticsError when there is none, or anything in the file is wrong
 */
export async function readConfiguration(path: string, options: ReadOptions): Promise<KubeProxyConfiguration> {
  const { configuration } = (await readSnapshot([path], options)).snapshot
  if (configuration !== undefined) return configuration
  throw new DiagnosticsError([
    {
      severity: 'error',
      place: { file: path },
      summary: 'there is no KubeProxyConfiguration in it',
      detail: 'Write kube-proxy’s own file here, or its ConfigMap: kubectl -n kube-system get configmap kube-proxy -o yaml.',
    },
  ])
}
