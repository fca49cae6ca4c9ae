import { expect, test } from 'vitest'
import { PROBE_WORDS, PROBES, probesFor } from '../../src/apply/preflight/probes.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { viewsOf } from '../../src/model/views.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { fullFragment } from '../../src/nft/render.ts'
import { configuration, node, service, slice, snapshot } from '../support/objects.ts'

function needed(layoutName: LayoutName, spec: Parameters<typeof service>[0] = {}, nodePortAddresses: string[] = []): string[] {
  const objects = snapshot({
    nodes: [node({ podCIDRs: ['10.1.0.0/24'] })],
    services: [service(spec)],
    endpointSlices: [slice({ endpoints: ['10.1.0.1', '10.1.0.2'] })],
  })
  const options = {
    configuration: configuration({ mode: 'nftables', nodePortAddresses }),
    host: undefined,
    nodeName: undefined,
    report: () => {},
  }
  const [context] = nodeContexts({ snapshot: objects, ...options })
  const layout = LAYOUTS[layoutName]
  return probesFor(
    fullFragment(
      layout,
      context!,
      viewsOf(objects, context!, () => {}),
    ),
  ).map(({ id }) => id)
}

const ALWAYS = ['nf-tables', 'nat-chain', 'dnat', 'masquerade', 'reject', 'ct', 'numgen', 'verdict-map']

test('only what a ruleset uses is asked for', () => {
  expect(needed('kube-proxy-1.36')).toEqual(ALWAYS)
  expect(needed('maps')).toEqual([...ALWAYS, 'dnat-map'])
})

test.each([
  ['session affinity', 'dynamic-set', { sessionAffinity: 'ClientIP' }, []],
  ['node ports on every address', 'fib', {}, ['0.0.0.0/0']],
  [
    'external policy Local',
    'fib',
    { type: 'NodePort', externalTrafficPolicy: 'Local', ports: [{ port: 80, protocol: 'TCP', nodePort: 30080 }] },
    [],
  ],
  [
    'source ranges',
    'interval-set',
    { type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.0/24'], ingress: [{ ip: '203.0.113.1' }] },
    [],
  ],
] as const)('%s ask for %s', (_, id, spec, nodePortAddresses) => {
  expect(needed('kube-proxy-1.36')).not.toContain(id)
  expect(needed('kube-proxy-1.36', spec as never, [...nodePortAddresses])).toContain(id)
})

test('ids are unique, and every probe that another needs comes before it', () => {
  const seen = new Set<string>()
  for (const { id, needs = [] } of PROBES) {
    expect(seen).not.toContain(id)
    for (const need of needs) expect(seen).toContain(need)
    seen.add(id)
  }
  for (const words of Object.values(PROBE_WORDS)) {
    for (const { option, module } of PROBES)
      expect([option(words), module(words)]).toEqual([expect.stringMatching(/^CONFIG_NF/), expect.stringMatching(/^nft?_/)])
  }
})

test('without a ruleset everything is asked for', () => {
  expect(probesFor(undefined)).toBe(PROBES)
})
