import path from 'node:path'
import { nodeContexts } from '../../src/model/index.ts'
import { viewsOf } from '../../src/model/views.ts'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import { renderTable } from '../../src/nft/render.ts'
import { GOLDEN_CASES } from './golden.ts'

/** Layouts that no kube-proxy recorded: their golden files are kubenft's own output, kept so that every change of it is seen in review. */
const OWN_LAYOUTS = ['maps', 'kube-proxy-1.37'] as const

/** Every golden file that kubenft makes itself, by path, as it would be made now. */
export function ownGoldens(): Map<string, string> {
  const files = new Map<string, string>()
  for (const { folder, configuration, host, snapshots } of GOLDEN_CASES) {
    for (const [step, snapshot] of snapshots.entries()) {
      for (const node of nodeContexts({ snapshot, configuration, host, nodeName: undefined, report: () => {} })) {
        const views = viewsOf(snapshot, node, () => {})
        for (const name of OWN_LAYOUTS) {
          const layout = LAYOUTS[name]
          const text = renderTable(layout, node, views)
          files.set(path.join(folder, 'expected', `nftables-${name.replace('kube-proxy-', '')}.${node.family}.${step}.nft`), text)
        }
      }
    }
  }
  return files
}
