import { describe, expect, test } from 'vitest'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { localDetector } from '../../src/model/local-detector.ts'
import type { LocalDetector } from '../../src/model/types.ts'
import type { KubeProxyConfiguration, Node } from '../../src/snapshot/types.ts'
import { collector, noProblems } from '../support/collector.ts'
import { configuration, node } from '../support/objects.ts'

const POD_NODE = node({ podCIDRs: ['10.1.0.0/24', 'fd00:10:1::/80'] })

describe('by mode', () => {
  const clusterCIDR = { kind: 'cidr', cidr: '10.0.0.0/8' } as const
  const clusterCIDR6 = { kind: 'cidr', cidr: 'fd00:10::/64' } as const
  const both = { clusterCIDR: '10.0.0.0/8,fd00:10::/64' }
  test.each<[string, Omit<KubeProxyConfiguration, 'kind'>, LocalDetector, LocalDetector]>([
    ['ClusterCIDR by default', both, clusterCIDR, clusterCIDR6],
    ['ClusterCIDR when the mode is empty', { ...both, detectLocalMode: '' }, clusterCIDR, clusterCIDR6],
    ['ClusterCIDR', { ...both, detectLocalMode: 'ClusterCIDR' }, clusterCIDR, clusterCIDR6],
    ['ClusterCIDR with host bits', { clusterCIDR: '10.9.8.7/8,fd00:10::1/64' }, clusterCIDR, clusterCIDR6],
    ['NodeCIDR', { ...both, detectLocalMode: 'NodeCIDR' }, { kind: 'cidr', cidr: '10.1.0.0/24' }, { kind: 'cidr', cidr: 'fd00:10:1::/80' }],
    [
      'BridgeInterface',
      { ...both, detectLocalMode: 'BridgeInterface', detectLocal: { bridgeInterface: 'cbr0' } },
      { kind: 'bridge', interfaceName: 'cbr0' },
      { kind: 'bridge', interfaceName: 'cbr0' },
    ],
    [
      'InterfaceNamePrefix',
      { ...both, detectLocalMode: 'InterfaceNamePrefix', detectLocal: { interfaceNamePrefix: 'veth' } },
      { kind: 'prefix', prefix: 'veth' },
      { kind: 'prefix', prefix: 'veth' },
    ],
  ])('%s', (_name, fields, v4, v6) => {
    expect(localDetector(configuration(fields), POD_NODE, 'ipv4', noProblems)).toEqual(v4)
    expect(localDetector(configuration(fields), POD_NODE, 'ipv6', noProblems)).toEqual(v6)
  })

  test('NodeCIDR of a Node that has the older field only', () => {
    const older: Node = { kind: 'Node', metadata: { name: 'node-a' }, spec: { podCIDR: '10.1.0.0/24' } }
    expect(localDetector(configuration({ detectLocalMode: 'NodeCIDR' }), older, 'ipv4', noProblems)).toEqual({
      kind: 'cidr',
      cidr: '10.1.0.0/24',
    })
  })
})

describe('local traffic that cannot be told', () => {
  test.each<[string, Omit<KubeProxyConfiguration, 'kind'>, Node | undefined, string]>([
    ['clusterCIDR absent', {}, POD_NODE, 'clusterCIDR has no CIDR of this family (IPv4)'],
    ['clusterCIDR empty', { clusterCIDR: '' }, POD_NODE, 'clusterCIDR has no CIDR of this family (IPv4)'],
    ['clusterCIDR of the other family', { clusterCIDR: 'fd00:10::/64' }, POD_NODE, 'clusterCIDR has no CIDR of this family (IPv4)'],
    ['no Node', { detectLocalMode: 'NodeCIDR' }, undefined, 'the Node has no pod CIDR of this family (IPv4)'],
    ['no pod CIDR', { detectLocalMode: 'NodeCIDR' }, node(), 'the Node has no pod CIDR of this family (IPv4)'],
    [
      'pod CIDRs of the other family',
      { detectLocalMode: 'NodeCIDR' },
      node({ podCIDRs: ['fd00::/64'] }),
      'the Node has no pod CIDR of this family (IPv4)',
    ],
    [
      'a pod CIDR that is none',
      { detectLocalMode: 'NodeCIDR' },
      node({ podCIDRs: ['soon'] }),
      'the Node has no pod CIDR of this family (IPv4)',
    ],
    ['no bridge', { detectLocalMode: 'BridgeInterface' }, POD_NODE, 'detectLocal.bridgeInterface is not an interface name (IPv4)'],
    [
      'a bridge that no rule can name',
      { detectLocalMode: 'BridgeInterface', detectLocal: { bridgeInterface: 'a" accept #' } },
      POD_NODE,
      'detectLocal.bridgeInterface is not an interface name (IPv4)',
    ],
    [
      'no prefix',
      { detectLocalMode: 'InterfaceNamePrefix', detectLocal: {} },
      POD_NODE,
      'detectLocal.interfaceNamePrefix is not the beginning of an interface name (IPv4)',
    ],
    [
      'an unknown mode',
      { detectLocalMode: 'Guess' as 'NodeCIDR', clusterCIDR: '10.0.0.0/8' },
      POD_NODE,
      'detectLocalMode is not known (IPv4)',
    ],
  ])('%s: a warning says what follows', (_name, fields, object, summary) => {
    const { report, found } = collector()
    expect(localDetector(configuration(fields), object, 'ipv4', report)).toEqual({ kind: 'none' })
    expect(found).toEqual([
      {
        severity: 'warning',
        place: { object: 'KubeProxyConfiguration', path: 'detectLocalMode' },
        summary,
        detail:
          'Traffic of local pods cannot be told from other traffic: with external policy Local it is not short-circuited, and cluster IP traffic from outside is not masqueraded unless masqueradeAll is set.',
      },
    ])
  })
})

test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/8, fd00::/64', '10.0.0.0/8,'])('clusterCIDR %j is refused', clusterCIDR => {
  expect(() => localDetector(configuration({ clusterCIDR }), POD_NODE, 'ipv4', noProblems)).toThrow(DiagnosticsError)
  expect(localDetector(configuration({ clusterCIDR, detectLocalMode: 'NodeCIDR' }), POD_NODE, 'ipv4', noProblems)).toEqual({
    kind: 'cidr',
    cidr: '10.1.0.0/24',
  })
})

test('detectLocal.clusterCIDRs is not a field of v1alpha1, so it counts for nothing', () => {
  const { report, found } = collector()
  const fields = { clusterCIDR: '10.0.0.0/8', detectLocal: { clusterCIDRs: ['10.1.0.0/16'] } }
  expect(localDetector(configuration(fields), POD_NODE, 'ipv4', report)).toEqual({ kind: 'cidr', cidr: '10.0.0.0/8' })
  expect(found.map(({ severity, place }) => [severity, place?.path])).toEqual([['warning', 'detectLocal.clusterCIDRs']])
})
