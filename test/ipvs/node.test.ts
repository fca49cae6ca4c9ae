import { expect, test } from 'vitest'
import { renderIpvs } from '../../src/ipvs/index.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { viewsOf } from '../../src/model/views.ts'
import type { HostFacts, KubeProxyConfiguration, Service, Snapshot } from '../../src/snapshot/types.ts'

const HOST: HostFacts = {
  nodeName: 'node-a',
  families: ['IPv4', 'IPv6'],
  interfaces: [
    { name: 'lo', addresses: ['127.0.0.1/8', '::1/128'] },
    { name: 'eth0', addresses: ['192.168.0.2/24', '2001:db8::1/64', 'fe80::1/64'] },
    { name: 'kube-ipvs0', addresses: ['172.30.0.1/32', '203.0.113.7/32'] },
  ],
  nfacct: [],
}

/** A service with a node port, a load-balancer address and a health check, as a node with this configuration has it. */
function rendered(family: 'ipv4' | 'ipv6', configuration: Partial<KubeProxyConfiguration>, host = HOST): ReturnType<typeof renderIpvs> {
  const clusterIP = family === 'ipv4' ? '172.30.0.1' : 'fd00:10:96::1'
  const service = {
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      type: 'LoadBalancer',
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: [family === 'ipv4' ? 'IPv4' : 'IPv6'],
      ports: [{ port: 80, protocol: 'TCP', nodePort: 30_080 }],
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 32_000,
      sessionAffinity: 'ClientIP',
    },
    status: { loadBalancer: { ingress: [{ ip: family === 'ipv4' ? '203.0.113.7' : '2001:db8:9::7' }] } },
  } as Service
  const snapshot: Snapshot = { nodes: [], serviceCIDRs: [], services: [service], endpointSlices: [] }
  const report = (): void => undefined
  const node = nodeContexts({
    snapshot,
    configuration: { kind: 'KubeProxyConfiguration', ...configuration },
    host,
    nodeName: undefined,
    report,
  }).find(context => context.family === family)
  if (node === undefined) throw new Error('the node lacks the family')
  return renderIpvs(node, viewsOf(snapshot, node, report))
}

test('the scheduler is the configured one, and mh takes ports into account', () => {
  expect(rendered('ipv4', {}).ipvsadm).toContain('-A -t 172.30.0.1:80 -s rr -p 10800\n')
  expect(rendered('ipv4', { ipvs: { scheduler: 'lc' } }).ipvsadm).toContain('-A -t 172.30.0.1:80 -s lc -p 10800\n')
  expect(rendered('ipv4', { ipvs: { scheduler: 'mh' } }).ipvsadm).toContain('-A -t 172.30.0.1:80 -s mh -p 10800 -b mh-port\n')
})

test('node ports answer on addresses of the node, but not on loopback, link-local IPv6 ones, and those that are on kube-ipvs0', () => {
  const nodePorts = (text: string): (string | undefined)[] => [...text.matchAll(/-A -t (\S+):30080/g)].map(match => match[1])
  expect(nodePorts(rendered('ipv4', {}).ipvsadm)).toEqual(['192.168.0.2'])
  expect(nodePorts(rendered('ipv6', {}).ipvsadm)).toEqual(['[2001:db8::1]'])
  expect(nodePorts(rendered('ipv6', { nodePortAddresses: ['fe80::/10', '::1/128'] }).ipvsadm)).toEqual(['[fe80::1]'])
})

test('what is on kube-ipvs0 already stays there', () => {
  expect(rendered('ipv4', {}).addresses).toBe('172.30.0.1\n203.0.113.7\n')
})

test('what another interface has does not go to kube-ipvs0, but has its virtual server', () => {
  const interfaces = [{ name: 'eth0', addresses: ['203.0.113.7/24'] }]
  const { addresses, ipset, ipvsadm } = rendered('ipv4', {}, { ...HOST, interfaces })
  expect(addresses).toBe('172.30.0.1\n')
  expect(ipset).not.toContain('add KUBE-IPVS-IPS 203.0.113.7')
  expect(ipvsadm).toContain('-A -t 203.0.113.7:80 ')
})

test('without an address for node ports there is no health check port either', () => {
  expect(rendered('ipv4', {}).ipset).toContain('add KUBE-HEALTH-CHECK-NODE-PORT 32000\n')
  const { ipset } = rendered('ipv4', { nodePortAddresses: ['127.0.0.0/8'] })
  expect(ipset).not.toContain('add KUBE-HEALTH-CHECK-NODE-PORT')
  expect(ipset).not.toContain('add KUBE-NODE-PORT')
})

test('names of IPv6 sets end where the kernel has its limit', () => {
  const names = [...rendered('ipv6', {}).ipset.matchAll(/^create (\S+)/gm)].map(match => match[1])
  expect(names).toContain('KUBE-6-LOAD-BALANCER-SOURCE-CID')
  expect(names).toContain('KUBE-6-NODE-PORT-LOCAL-SCTP-HAS')
  expect(new Set(names).size).toBe(17)
})
