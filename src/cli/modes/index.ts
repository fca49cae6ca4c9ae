import type { Origin } from '../../delta/operation.ts'
import { LAYOUTS, type LayoutName } from '../../nft/layouts/index.ts'
import { iptables } from './iptables.ts'
import { ipvs } from './ipvs.ts'
import type { Mode } from './mode.ts'
import { nftables } from './nftables.ts'

export type AnyMode = Mode<{ readonly origins: readonly Origin[] }>

/** What `--mode` and `--layout` name. */
export function modeOf({ mode, layout }: { readonly mode: AnyMode['name']; readonly layout: LayoutName }): AnyMode {
  const modes = { nftables: nftables(LAYOUTS[layout]), iptables, ipvs }
  return modes[mode] as unknown as AnyMode
}
