import { describe, expect, test } from 'vitest'
import type { Family } from '../../src/address.ts'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { nodePortAddresses } from '../../src/model/node-port-addresses.ts'
import { collector, noProblems } from '../support/collector.ts'

const on = (...addresses: string[]) => addresses.map(address => ({ interfaceName: 'eth0', address }))
const V4 = { family: 'ipv4' as Family, nodeIP: '192.168.0.2', hostAddresses: on('127.0.0.1', '192.168.0.2', '192.168.1.2', '203.0.113.7') }
const V6 = { family: 'ipv6' as Family, nodeIP: '2001:db8::1', hostAddresses: on('::1', '2001:db8::1', '2001:db8:1::2') }
const some = (...addresses: string[]) => ({ all: false, addresses })
const ALL = { all: true }

describe('in each family', () => {
  test.each([
    ['nothing: all', [], ALL, ALL],
    ['primary', ['primary'], some('192.168.0.2'), some('2001:db8::1')],
    ['a CIDR of one family: all of the other', ['192.168.0.0/16'], some('192.168.0.2', '192.168.1.2'), ALL],
    ['a CIDR of each', ['192.168.1.0/24', '2001:db8:1::/64'], some('192.168.1.2'), some('2001:db8:1::2')],
    ['host bits', ['192.168.1.77/24', '2001:db8:1::77/64'], some('192.168.1.2'), some('2001:db8:1::2')],
    [
      'overlapping CIDRs: each address once',
      ['192.168.0.0/16', '192.168.1.0/24', '::/1'],
      some('192.168.0.2', '192.168.1.2'),
      some('::1', '2001:db8::1', '2001:db8:1::2'),
    ],
    ['a zero CIDR among others: all', ['192.168.0.0/16', '0.0.0.0/0', '::/0'], ALL, ALL],
    ['loopback', ['127.0.0.0/8', '::1/128'], some('127.0.0.1'), some('::1')],
  ])('%s', (_name, configured, v4, v6) => {
    expect(nodePortAddresses(configured, V4, noProblems)).toEqual(v4)
    expect(nodePortAddresses(configured, V6, noProblems)).toEqual(v6)
  })
})

test('primary without an address of the family: all, as kube-proxy has it', () => {
  expect(nodePortAddresses(['primary'], { ...V4, nodeIP: '127.0.0.1' }, noProblems)).toEqual(ALL)
  expect(nodePortAddresses(['primary'], { ...V6, nodeIP: '::1' }, noProblems)).toEqual(ALL)
})

test.each([
  ['a CIDR that covers nothing here', ['10.9.0.0/16'], V4, '10.9.0.0/16'],
  ['a primary address that no interface has', ['primary'], { ...V4, nodeIP: '198.51.100.1' }, '198.51.100.1/32'],
  ['the same in IPv6', ['primary'], { ...V6, nodeIP: '2001:db8:9::1' }, '2001:db8:9::1/128'],
])('%s: none, with a warning', (_name, configured, node, cidr) => {
  const { report, found } = collector()
  expect(nodePortAddresses(configured, node, report)).toEqual(some())
  expect(found.map(({ severity, place, summary }) => [severity, place?.path, summary])).toEqual([
    ['warning', 'nodePortAddresses', `no address on the host's interfaces is in ${cidr}`],
  ])
})

test.each([[['192.168.0.2']], [['primary', '10.0.0.0/8']], [['']], [['10.0.0.0/8 ']], [['10.0.0.0/8; accept']]])(
  '%j is refused',
  configured => {
    expect(() => nodePortAddresses(configured, V4, noProblems)).toThrow(DiagnosticsError)
  },
)
