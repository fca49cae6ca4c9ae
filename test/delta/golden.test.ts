import { describe, expect, test } from 'vitest'
import { changesBetween } from '../../src/delta/change.ts'
import { NodeRules, type Transaction } from '../../src/delta/node-rules.ts'
import { partialSync } from '../../src/delta/partial-sync.ts'
import { nodeContexts } from '../../src/model/index.ts'
import { LAYOUTS } from '../../src/nft/layouts/index.ts'
import { printCommand } from '../../src/nft/print.ts'
import { expected, GOLDEN_CASES, type GoldenCase } from '../support/golden.ts'

const layout = LAYOUTS['kube-proxy-1.36']
const SEQUENCES = GOLDEN_CASES.filter(({ snapshots }) => snapshots.length > 1)

/** Every transaction of a case but the first, with what kube-proxy sent for the same step. */
function transactions(golden: GoldenCase): { step: number; transaction: Transaction; recorded: string[] }[] {
  const { configuration, host, snapshots } = golden
  const rules = new NodeRules({ layout, configuration, host, report: () => {} })
  return snapshots.flatMap((snapshot, step) => {
    const before = snapshots[step - 1] ?? { nodes: [], serviceCIDRs: [], services: [], endpointSlices: [] }
    const found = rules.apply(changesBetween(before, snapshot))
    return step === 0
      ? []
      : found.map(transaction => ({
          step,
          transaction,
          recorded: lines(expected(golden, `nftables-1.36.${transaction.family}.${step}.transaction`) ?? 'no golden file'),
        }))
  })
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.replaceAll(/\s*,\s*/g, ','))
    .filter(line => line !== '')
    .sort()
}

test('there are sequences to compare', () => {
  expect(SEQUENCES.length).toBeGreaterThan(6)
})

describe.each(SEQUENCES)('$name', golden => {
  test('a delta never has more operations than kube-proxy sent, its later deletions of chains aside', () => {
    for (const { transaction, recorded } of transactions(golden)) {
      const operations = transaction.operations.filter(({ verb, object }) => !(verb === 'delete' && object.kind === 'chain'))
      expect(operations.length).toBeLessThanOrEqual(recorded.length)
    }
  })

  test('the partial sync that it is compared with is what kube-proxy sent', () => {
    const stale = new Set<string>()
    for (const { step, transaction, recorded } of transactions(golden)) {
      const node = nodeContexts({
        snapshot: golden.snapshots[step] as GoldenCase['snapshots'][number],
        configuration: golden.configuration,
        host: golden.host,
        nodeName: undefined,
        report: () => {},
      }).find(({ family }) => family === transaction.family)
      if (node === undefined) throw new Error('the family is gone')
      const computed = partialSync(transaction, node, layout).map(command => printCommand(command, transaction))
      // kube-proxy empties chains that earlier syncs left behind again and again, until it deletes them.
      for (const line of computed.filter(text => text.startsWith('add chain'))) stale.delete(line.replace('add', 'flush'))
      expect(lines([...computed, ...stale].join('\n'))).toEqual(recorded)
      for (const { verb, object } of transaction.operations)
        if (verb === 'delete' && object.kind === 'chain') stale.add(printCommand({ verb: 'flush', object }, transaction))
    }
  })
})
