import type { Family } from '../../src/address.ts'
import { nodeContexts } from '../../src/model/index.ts'
import { viewsOf } from '../../src/model/views.ts'
import { contentsOf as contents, type TableContents } from '../../src/nft/contents.ts'
import type { Fragment } from '../../src/nft/fragment.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { type TableName, tablePath } from '../../src/nft/print.ts'
import { fullFragment } from '../../src/nft/render.ts'
import { printTable } from '../../src/nft/table-text.ts'
import { GOLDEN_CASES } from '../support/golden.ts'
import { inNamespace, loading } from '../support/kernel.ts'

/** A table as a layout makes it, with its script. */
export interface Rendered {
  readonly title: string
  readonly name: TableName
  readonly fragment: Fragment
  readonly script: string
}

export function rendered(title: string, layoutName: LayoutName, family: Family, fragment: Fragment): Rendered {
  const { table, tableComment } = LAYOUTS[layoutName]
  return { title, name: { family, table }, fragment, script: printTable(fragment, { family, table }, tableComment) }
}

/** Every step of every golden case in a layout. */
export function goldenTables(layoutName: LayoutName): Rendered[] {
  return GOLDEN_CASES.flatMap(({ name, configuration, host, snapshots }) =>
    snapshots.flatMap((snapshot, step) =>
      nodeContexts({ snapshot, configuration, host, nodeName: undefined, report: () => {} }).map(node =>
        rendered(
          `${name} step ${step} ${node.family}`,
          layoutName,
          node.family,
          fullFragment(
            LAYOUTS[layoutName],
            node,
            viewsOf(snapshot, node, () => {}),
          ),
        ),
      ),
    ),
  )
}

/** What a fragment asks the kernel to hold. */
export function contentsOf(fragment: Fragment, comment: string | undefined): TableContents {
  return { ...contents(fragment), comment }
}

/**
 * kube-proxy 1.34 matches interfaces by index (`iif`), which needs the interface to exist and takes no wildcard; the kernel gets the name instead.
 */
export function loadable(text: string): string {
  return text.replaceAll(/(^| )iif (?=!= |\S+\*? )/gm, '$1iifname ')
}

/** Stands between listings in the output of a shell. */
export const SEPARATOR = '=== next ==='

/** Loads each script into a kernel of its own and gives back what a command lists then. */
export function listings(scripts: readonly { readonly name: TableName; readonly script: string }[], list: string): string[] {
  const output = inNamespace(
    scripts
      .map(
        ({ name, script }) =>
          `${loading(loadable(script))}${list} list table ${tablePath(name)}\necho; echo '${SEPARATOR}'\nnft flush ruleset\n`,
      )
      .join(''),
  )
  return output.split(`${SEPARATOR}\n`).slice(0, scripts.length)
}

/** Contents with everything sorted by name, so that a difference reads well. */
export function plain(contents: TableContents | undefined): unknown {
  if (contents === undefined) return undefined
  const byName = (things: ReadonlyMap<string, unknown>): object => Object.fromEntries([...things].sort(([a], [b]) => (a < b ? -1 : 1)))
  const { comment, chains, sets, maps, elements } = contents
  return {
    comment,
    chains: byName(chains),
    sets: byName(sets),
    maps: byName(maps),
    elements: byName(new Map([...elements].map(([name, keys]) => [name, byName(keys)]))),
  }
}
