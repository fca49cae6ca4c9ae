import { expect, test } from 'vitest'
import { canonicalSets, ipvsContents, parseAddresses, parseSets, printSets } from '../../src/ipvs/index.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { viewsOf } from '../../src/model/views.ts'
import { GOLDEN_CASES } from '../support/golden.ts'
import { inNamespace } from '../support/kernel.ts'

test('ipset takes the sets of every golden case, and prints them back as they were', () => {
  const report = (): void => undefined
  const wanted = GOLDEN_CASES.flatMap(({ configuration, host, snapshots }) =>
    snapshots.flatMap(snapshot =>
      nodeContexts({ snapshot, configuration, host, nodeName: undefined, report }).map(context =>
        canonicalSets(ipvsContents(context, viewsOf(snapshot, context, report)).sets),
      ),
    ),
  )
  const script = wanted.map(sets => `ipset restore <<'END'\n${printSets(sets)}END\nipset save\nipset destroy\necho NEXT\n`).join('')
  const dumps = inNamespace(script).split('NEXT\n').slice(0, -1)
  expect(dumps.length).toBe(wanted.length)
  for (const [index, dump] of dumps.entries()) expect(bySorting(parseSets(dump))).toEqual(bySorting(wanted[index] ?? new Map()))
})

test('the addresses that ip prints are those that were added', () => {
  // A veth pair, because not every kernel has dummy interfaces.
  const dump = inNamespace(`ip link add kube-ipvs0 type veth peer name peer
ip addr add 172.30.0.1/32 dev kube-ipvs0
ip addr add fd00:10:96::a/128 dev kube-ipvs0
ip addr add fe80::1/64 dev kube-ipvs0 scope link
ip -o addr show kube-ipvs0`)
  expect(dump).toContain('fe80::1/64')
  expect([...parseAddresses(dump)].sort()).toEqual(['172.30.0.1', 'fd00:10:96::a'])
})

/** The kernel lists entries in its own order. */
function bySorting(sets: ReturnType<typeof parseSets>): unknown {
  return [...canonicalSets(sets)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, set]) => [name, { ...set, entries: new Map([...set.entries].sort()) }])
}
