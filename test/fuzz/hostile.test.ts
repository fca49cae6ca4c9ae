import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change, KubernetesObject } from '../../src/delta/change.ts'
import { NodeRules } from '../../src/delta/node-rules.ts'
import { DiagnosticsError } from '../../src/diagnostics.ts'
import { LAYOUTS, type LayoutName } from '../../src/nft/layouts/index.ts'
import { printScript } from '../../src/nft/print.ts'
import { parseSnapshot } from '../../src/snapshot/index.ts'
import type { KubeProxyConfiguration, Service } from '../../src/snapshot/types.ts'
import { inNamespace, loading } from '../support/kernel.ts'

/** A cluster in which every string of the schemas is used by some rule. */
const OBJECTS: readonly KubernetesObject[] = [
  {
    kind: 'Node',
    metadata: { name: 'node-a', labels: { 'topology.kubernetes.io/zone': 'zone-1' } },
    spec: { podCIDRs: ['10.1.0.0/24'] },
    status: { addresses: [{ type: 'InternalIP', address: '192.168.0.2' }] },
  },
  { kind: 'ServiceCIDR', metadata: { name: 'kubernetes' }, spec: { cidrs: ['172.30.0.0/16'] } },
  {
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      type: 'LoadBalancer',
      clusterIP: '172.30.0.1',
      clusterIPs: ['172.30.0.1'],
      ipFamilies: ['IPv4'],
      ports: [
        { name: 'http', port: 80, protocol: 'TCP', nodePort: 30_080 },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
      sessionAffinity: 'ClientIP',
      externalTrafficPolicy: 'Local',
      internalTrafficPolicy: 'Cluster',
      externalIPs: ['203.0.113.1'],
      loadBalancerSourceRanges: ['192.0.2.0/24'],
    },
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.2', ipMode: 'VIP' }] } },
  },
  {
    kind: 'EndpointSlice',
    metadata: { name: 'web-x', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: [
      {
        addresses: ['10.1.0.1'],
        conditions: { ready: true },
        nodeName: 'node-a',
        zone: 'zone-1',
        hints: { forZones: [{ name: 'zone-1' }], forNodes: [{ name: 'node-a' }] },
      },
    ],
  },
]

const CONFIGURATIONS: readonly KubeProxyConfiguration[] = [
  { kind: 'KubeProxyConfiguration', clusterCIDR: '10.0.0.0/8', detectLocalMode: 'ClusterCIDR', nodePortAddresses: ['192.168.0.0/24'] },
  {
    kind: 'KubeProxyConfiguration',
    hostnameOverride: 'node-a',
    detectLocalMode: 'BridgeInterface',
    detectLocal: { bridgeInterface: 'cbr0' },
  },
  { kind: 'KubeProxyConfiguration', detectLocalMode: 'InterfaceNamePrefix', detectLocal: { interfaceNamePrefix: 'veth' } },
]

const HOSTILE = [
  '"',
  '\n',
  'a"; flush ruleset; "',
  'a\nflush ruleset\n',
  'web }; delete table ip kubenft; add table ip x { }',
  '; include "/etc/shadow"',
  'include "/etc/passwd"',
  '{ } { }',
  '$(reboot)',
  '`reboot`',
  "'",
  '\\',
  '\u0000',
  '\u001b[2J',
  '\u2028',
  '@set',
  '#',
  '10.1.0.1; drop',
  '10.1.0.1 . 80 : drop',
  '10.1.0.0/8 } drop',
  '10.1.0.1/../..',
  '0x0a010001',
  'veth*; drop',
  '__proto__',
  'constructor',
  'x'.repeat(10_000_000),
  '-'.repeat(300),
] as const

const NAME = `[A-Za-z0-9_./-]{1,240}`
const ADDRESS = String.raw`[0-9a-f.:]+(?:/\d+)?`
const TABLE = `ip6? (?:kubenft|kube-proxy)`
/** Everything that a rule may hold: words, numbers, addresses, names, anonymous sets, quoted interface names, and comments that the layouts themselves write. */
const RULE = String.raw`(?:[A-Za-z0-9_@.:,/{}*!=\[\] -]|iif(?:name)? (?:!= )?"[A-Za-z0-9_.:-]{1,15}\*?"|comment "[A-Za-z -]+")+`
const LINE = new RegExp(
  `^(?:add table ${TABLE} \\{ comment "[A-Za-z -]+" ; \\}` +
    `|(?:add|delete|flush) chain ${TABLE} ${NAME}(?: \\{ (?:type \\w+ hook \\w+ priority -?\\d+ ; )?(?:comment "[A-Za-z @/-]+" ; )?\\})?` +
    `|add (?:set|map) ${TABLE} ${NAME} \\{ [A-Za-z0-9_ .:;,]+(?:comment "[A-Za-z, ]+" ; )?\\}` +
    `|delete (?:set|map) ${TABLE} ${NAME}` +
    `|add rule ${TABLE} ${NAME} ${RULE}` +
    `|(?:add|delete) element ${TABLE} ${NAME} \\{ (?:${ADDRESS}|\\d+|tcp|udp|sctp)(?: \\. (?:${ADDRESS}|\\d+|tcp|udp|sctp))*(?: comment "[a-z0-9-]+/[a-z0-9-]+(?::[a-z0-9-]+)?")?(?: : (?:drop|goto ${NAME}|${ADDRESS} \\. \\d+))? \\})$`,
)

/** Paths to every string in a value. */
function strings(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => strings(inner, [...path, Array.isArray(value) ? Number(key) : key]))
}

function replaced<T>(value: T, [head, ...rest]: readonly (string | number)[], text: string): T {
  if (head === undefined) return text as T
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[head] = replaced(copy[head], rest, text)
  return copy as T
}

/** The scripts for objects and a configuration, straight through the library, without the schemas in front. */
function scripts(layout: LayoutName, objects: readonly KubernetesObject[], configuration: KubeProxyConfiguration): string[] {
  const rules = new NodeRules({ layout: LAYOUTS[layout], configuration, report: () => {} })
  const changes = objects.map((object): Change => ({ type: 'set', object }))
  return rules.apply(changes).map(transaction => {
    const script = printScript(transaction.operations, transaction)
    const lines = script.split('\n').slice(0, -1)
    expect(lines.length).toBe(transaction.operations.length)
    for (const line of lines) expect(line).toMatch(LINE)
    return script
  })
}

const fields = OBJECTS.flatMap((object, index) =>
  strings(object)
    .filter(path => path[0] !== 'kind')
    .map(path => ({ index, path, name: `${object.kind} ${path.join('.')}` })),
)

describe.each(Object.keys(LAYOUTS) as LayoutName[])('layout %s', layout => {
  test('the untouched cluster: every line is of a known form, and nft takes it', () => {
    const found = CONFIGURATIONS.flatMap(configuration =>
      scripts(layout, OBJECTS, configuration).map(script => ({ script, configuration })),
    )
    expect(found.length).toBe(CONFIGURATIONS.length)
    for (const { script } of found) inNamespace(`${loading(script.replaceAll(/ iif (?=!= |\S+\*? )/g, ' iifname '))}`)
  })

  test.each(fields)('$name', ({ index, path }) => {
    for (const hostile of HOSTILE) {
      const objects = OBJECTS.map((object, position) => (position === index ? replaced(object, path, hostile) : object))
      for (const configuration of CONFIGURATIONS.slice(0, 2)) tolerate(() => scripts(layout, objects, configuration))
    }
  })

  test('every string of the configuration', () => {
    for (const configuration of CONFIGURATIONS) {
      for (const path of strings(configuration)) {
        for (const hostile of HOSTILE) tolerate(() => scripts(layout, OBJECTS, replaced(configuration, path, hostile)))
      }
    }
  })

  test('random strings in random fields', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'"\'\\;{}#@*$\n\t .:/-aZ0') }),
      fc.ipV4(),
      fc.ipV6(),
    )
    fc.assert(
      fc.property(fc.constantFrom(...fields), text, ({ index, path }, hostile) => {
        const objects = OBJECTS.map((object, position) => (position === index ? replaced(object, path, hostile) : object))
        tolerate(() => scripts(layout, objects, CONFIGURATIONS[0] as KubeProxyConfiguration))
      }),
      { numRuns: 1000 },
    )
  })
})

/** The objects as a file holds them. */
const API_VERSIONS: Readonly<Record<string, string>> = {
  Node: 'v1',
  Service: 'v1',
  ServiceCIDR: 'networking.k8s.io/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
}

function read(objects: readonly object[]): readonly KubernetesObject[] {
  const items = objects.map(object => ({ apiVersion: API_VERSIONS[(object as KubernetesObject).kind], ...object }))
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  const { nodes, serviceCIDRs, services, endpointSlices } = parseSnapshot([{ file: 'cluster.json', text }], { report: () => {} }).snapshot
  return [...nodes, ...serviceCIDRs, ...services, ...endpointSlices]
}

describe('from a file, with the schemas in front', () => {
  test('the untouched cluster', () => {
    expect(scripts('maps', read(OBJECTS), CONFIGURATIONS[0] as KubeProxyConfiguration)).toEqual(
      scripts('maps', OBJECTS, CONFIGURATIONS[0] as KubeProxyConfiguration),
    )
  })

  test.each(fields)('$name', ({ index, path }) => {
    for (const hostile of HOSTILE) {
      const objects = OBJECTS.map((object, position) => (position === index ? replaced(object, path, hostile) : object))
      tolerate(() => scripts('maps', read(objects), CONFIGURATIONS[0] as KubeProxyConfiguration))
    }
  })

  test('keys of hostile names are no fields', () => {
    for (const hostile of HOSTILE) {
      const text = JSON.stringify({
        ...OBJECTS[2],
        [hostile]: hostile,
        spec: { ...(OBJECTS[2] as Service).spec, [hostile]: { [hostile]: 1 } },
      })
      tolerate(() =>
        scripts('maps', read([OBJECTS[0] as object, JSON.parse(text), OBJECTS[3] as object]), CONFIGURATIONS[0] as KubeProxyConfiguration),
      )
    }
  })
})

/** A clear refusal is as good as a clean script. */
function tolerate(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error
  }
}
