import type { Change, KubernetesObject } from '../delta/change.ts'
import { NodeRules } from '../delta/node-rules.ts'
import { readTableJson } from '../nft/json/read.ts'
import { LAYOUTS, type Layout } from '../nft/layouts/index.ts'
import { printScript } from '../nft/print.ts'
import { printTable } from '../nft/table-text.ts'
import type { Candidate, CandidateName, Resident } from './candidate.ts'
import { compileNft, ignore } from './compile.ts'
import { NODE_NAME, objectsOf } from './workload.ts'

/** A layout of nftables: updates are the incremental core's transactions. */
export function nftCandidate(name: CandidateName & keyof typeof LAYOUTS): Candidate {
  const layout = LAYOUTS[name]
  const nft = (file: string): string => `nft -f ${file}`
  return {
    name,
    tool: 'nft',
    compile: snapshot => compileNft(layout, snapshot),
    resident: () => nftResident(layout),
    loadCommand: nft,
    updateCommand: nft,
    recover: {
      listCommand: `nft -j list table ip ${layout.table}`,
      takeOver(listing, snapshot) {
        const live = readTableJson(listing, { family: 'ipv4', table: layout.table })
        const rules = new NodeRules({ layout, report: ignore, nodeName: NODE_NAME })
        const tables = live === undefined ? {} : { ipv4: live }
        return rules.apply(settingAll(objectsOf(snapshot)), tables)[0]!.operations.length
      },
    },
  }
}

function nftResident(layout: Layout): Resident {
  const rules = new NodeRules({ layout, report: ignore, nodeName: NODE_NAME })
  return {
    start(objects) {
      rules.apply(settingAll(objects))
    },
    text() {
      const { fragment, ...table } = rules.fragments()[0]!
      return printTable(fragment, table, layout.tableComment)
    },
    update(changes) {
      const { operations, ...table } = rules.apply(changes)[0]!
      return { script: printScript(operations, table), operations: operations.length }
    },
  }
}

function* settingAll(objects: Iterable<KubernetesObject>): Generator<Change> {
  for (const object of objects) yield { type: 'set', object }
}
