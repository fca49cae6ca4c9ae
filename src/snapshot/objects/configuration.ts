import { readDocuments } from '../documents/read-documents.ts'
import { type Fields, isFields } from './candidates.ts'

/** A KubeProxyConfiguration found in a ConfigMap, with the path of the text that holds it. */
export interface Embedded {
  readonly path: string
  readonly fields: Fields
}

const MENTION = /^[ \t]*"?kind"?[ \t]*:[ \t]*["']?KubeProxyConfiguration\b/m

/**
 * The KubeProxyConfigurations in the texts of a ConfigMap: kubeadm keeps it in `data["config.conf"]` of kube-system/kube-proxy, others elsewhere.
 */
export function embeddedConfigurations(
  configMap: Fields,
  problem: (path: string, summary: string, detail: string) => void,
): readonly Embedded[] {
  const { data } = configMap
  if (!isFields(data)) return []
  const found: Embedded[] = []
  for (const [key, text] of Object.entries(data)) {
    if (typeof text !== 'string' || !MENTION.test(text)) continue
    const path = `data[${JSON.stringify(key)}]`
    for (const { value } of readDocuments(text, (_, summary, detail) => problem(path, summary, detail))) {
      if (isFields(value) && value['kind'] === 'KubeProxyConfiguration') found.push({ path, fields: value })
    }
  }
  return found
}
