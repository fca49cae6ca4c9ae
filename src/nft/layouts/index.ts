import { kubeProxy134, kubeProxy136, kubeProxy137 } from './kube-proxy.ts'
import type { Layout, LayoutName } from './layout.ts'
import { maps } from './maps.ts'

/** Every layout by name. */
export const LAYOUTS: Readonly<Record<LayoutName, Layout>> = {
  maps,
  'kube-proxy-1.34': kubeProxy134,
  'kube-proxy-1.36': kubeProxy136,
  'kube-proxy-1.37': kubeProxy137,
}

export type * from './layout.ts'
