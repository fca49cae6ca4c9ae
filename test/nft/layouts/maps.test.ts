import { expect, test } from 'vitest'
import { nodeContexts } from '../../../src/model/node.ts'
import { viewsOf } from '../../../src/model/views.ts'
import { maps } from '../../../src/nft/layouts/maps.ts'
import { fullFragment } from '../../../src/nft/render.ts'
import { node, service, slice, snapshot } from '../../support/objects.ts'

/** The rules of the one firewall chain of a LoadBalancer service with these source ranges. */
function firewall(family: 'ipv4' | 'ipv6', sourceRanges: readonly string[]): readonly string[] | undefined {
  const v6 = family === 'ipv6'
  const input = snapshot({
    nodes: [node({ addresses: [v6 ? 'fd00::2' : '192.168.0.2'] })],
    services: [
      service({
        type: 'LoadBalancer',
        clusterIP: v6 ? 'fd00:10::41' : '172.30.0.41',
        loadBalancerSourceRanges: sourceRanges,
        ingress: [{ ip: v6 ? '2001:db8::7' : '203.0.113.7' }],
      }),
    ],
    endpointSlices: [slice({ addressType: v6 ? 'IPv6' : 'IPv4', endpoints: [v6 ? 'fd00:1::3' : '10.1.0.3'] })],
  })
  const report = (): void => {}
  const [context] = nodeContexts({ snapshot: input, configuration: undefined, host: undefined, nodeName: undefined, report })
  if (context === undefined) throw new Error('the node has no family')
  const { chains } = fullFragment(maps, context, viewsOf(input, context, report))
  return [...chains].find(([name]) => name.startsWith('firewall-') && name !== 'firewall-check')?.[1].rules
}

test('source ranges are return rules; only the whole length of an address is left out', () => {
  expect(firewall('ipv4', ['192.0.2.0/24', '198.51.100.7/32'])).toEqual([
    'ip saddr 192.0.2.0/24 return',
    'ip saddr 198.51.100.7 return',
    'drop',
  ])
  expect(firewall('ipv6', ['2001:db8::/32', '2001:db8:1::7/128'])).toEqual([
    'ip6 saddr 2001:db8::/32 return',
    'ip6 saddr 2001:db8:1::7 return',
    'drop',
  ])
})

test('a range that is everything restricts nothing', () => {
  expect(firewall('ipv4', ['192.0.2.0/24', '0.0.0.0/0'])).toBeUndefined()
})
