/**
 * Shows the rules at work: renders the online shop for one of its nodes, builds the cluster in throwaway network namespaces, applies the rules there,
 * connects to services from a pod, the node and outside, and rolls a service out while a pod connects to it. Leaves nothing behind. Without Linux or nft it renders and says what it could not do.
 *
 *     npx tsx lab/demo.ts
 */
import { fileURLToPath } from 'node:url'
import { formatDiagnostic, type Report } from '../src/diagnostics.ts'
import { nodeContexts } from '../src/model/index.ts'
import { viewsOf } from '../src/model/views.ts'
import { readConfiguration, readSnapshot } from '../src/snapshot/index.ts'
import type { KubeProxyConfiguration, Snapshot } from '../src/snapshot/types.ts'
import { type ClusterWorld, clusterWorld } from './cluster-world.ts'
import { lacking } from './lacking.ts'
import type { Namespace } from './namespace.ts'
import { table } from './table.ts'
import { type Client, type Via, type Visit, visitAll } from './visits.ts'
import { World } from './world.ts'

const NODE = 'node-1'
const POD = { ipv4: '10.244.1.250', ipv6: 'fd00:10:244:1::fa' }
/** Within the ranges that may use the load balancer of shop/admin, and not. */
const OFFICE = { ipv4: '198.51.100.7', ipv6: '2001:db8:51::7' }
const STRANGER = { ipv4: '203.0.113.200', ipv6: '2001:db8:ffff::7' }

const report: Report = diagnostic => process.stderr.write(`${formatDiagnostic(diagnostic)}\n`)
const say = (text: string): boolean => process.stdout.write(text)
const COMMAND = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const example = (file: string): string => fileURLToPath(new URL(`../examples/online-shop/${file}`, import.meta.url))

const [{ snapshot: cluster }, { snapshot: rollout }, configuration] = await Promise.all([
  readSnapshot([example('cluster.yaml')], { report }),
  readSnapshot([example('rollout.yaml')], { report }),
  readConfiguration(example('kube-proxy.yaml'), { report }),
])
const views = familiesOf(cluster, configuration)
say(
  `${cluster.services.length} services are ${views.map(family => family.views.length).join(' + ')} service ports for ${NODE} in IPv4 and IPv6\n`,
)

const reason = lacking()
if (reason === undefined) await show()
else say(`not loaded and not tried: ${reason}\n`)

async function show(): Promise<void> {
  const spec = clusterWorld([cluster, rollout], NODE, [
    { name: 'client pod', device: 'client0', addresses: Object.values(POD) },
    { name: 'outside', device: 'eth0', addresses: [OFFICE, STRANGER].flatMap(Object.values<string>), routes: ['0.0.0.0/0', '::/0'] },
  ])
  const begun = performance.now()
  const world = await World.create(spec)
  try {
    await startServers(world, spec)
    say(`made ${spec.hosts.length + 1} network namespaces in ${since(begun)}\n`)
    await apply(world.node, 'cluster.yaml')
    const clients = clientsOf(world, spec.nodeAddresses)
    say(`\n${table(await visitAll(visits(clients), views))}\n`)
    say('shop/catalog is rolled out, while a pod connects to it again and again:\n')
    const connections = await during(apply(world.node, 'rollout.yaml'), world.host('client pod'))
    say(`${connections.answered} connections were answered meanwhile, ${connections.failed} failed\n`)
    const again = visits(clients).filter(({ service }) => service === 'shop/catalog')
    say(`\n${table(await visitAll(again, familiesOf(rollout, configuration)))}`)
  } finally {
    await world.close()
  }
}

function visits({ pod, office, stranger, node }: Readonly<Record<'pod' | 'office' | 'stranger' | 'node', Client>>): Visit[] {
  const visit = (client: Client, service: string, portName: string, via: Via = 'cluster IP'): Visit => ({ client, service, portName, via })
  return [
    visit(pod, 'shop/catalog', 'http'),
    visit(pod, 'shop/frontend', 'http'),
    visit(pod, 'kube-system/kube-dns', 'dns'),
    visit(pod, 'monitoring/log-collector', 'syslog'),
    visit(pod, 'shop/cart', 'http'),
    visit(pod, 'shop/payments', 'https'),
    visit(node, 'shop/catalog', 'http'),
    visit(office, 'shop/catalog', 'http'),
    visit(office, 'shop/checkout', 'http', 'node port'),
    visit(office, 'shop/storefront', 'http', 'load balancer'),
    visit(office, 'shop/admin', 'https', 'load balancer'),
    visit(stranger, 'shop/admin', 'https', 'load balancer'),
  ]
}

function clientsOf(world: World, nodeAddresses: readonly string[]) {
  const outside = world.host('outside')
  const own = (colon: boolean): string => nodeAddresses.find(address => address.includes(':') === colon) ?? ''
  return {
    pod: { name: 'pod', namespace: world.host('client pod'), addresses: POD },
    office: { name: 'office', namespace: outside, addresses: OFFICE },
    stranger: { name: 'stranger', namespace: outside, addresses: STRANGER },
    node: { name: 'node', namespace: world.node, addresses: { ipv4: own(false), ipv6: own(true) } },
  }
}

function familiesOf(snapshot: Snapshot, configuration: KubeProxyConfiguration) {
  return nodeContexts({ snapshot, configuration, host: undefined, nodeName: NODE, report }).map(node => ({
    node,
    views: viewsOf(snapshot, node, report),
  }))
}

async function startServers(world: World, { listeners }: ClusterWorld): Promise<void> {
  await Promise.all([...listeners].map(([name, own]) => (name === NODE ? world.node : world.host(name)).call('serve', own)))
}

/** `kubenft apply` on the node, as an operator types it; shows its plan and its summary. */
async function apply(node: Namespace, snapshot: string): Promise<void> {
  const files = ['-f', example(snapshot), '--config', example('kube-proxy.yaml'), '--node', NODE]
  say(`\n$ kubenft apply -f ${snapshot} --config kube-proxy.yaml --node ${NODE} --yes\n`)
  const { code, stdout, stderr } = await node.run([process.execPath, '--import', 'tsx', COMMAND, 'apply', ...files, '--yes'])
  say(`${stderr}${stdout}\n`)
  if (code !== 0) throw new Error(`kubenft apply exited with ${code}`)
}

/** Connects to the catalog from a pod until the work is done. */
async function during(work: Promise<void>, pod: Namespace): Promise<{ readonly answered: number; readonly failed: number }> {
  const catalog = cluster.services.find(({ metadata }) => metadata.name === 'catalog')
  const probes = (catalog?.spec.clusterIPs ?? []).map(address => ({ protocol: 'tcp', address, port: 80 }) as const)
  let [answered, failed, isDone] = [0, 0, false]
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    for (const { outcome } of await pod.call('probe', { probes, timeout: 1500 })) {
      if (outcome === 'answered') answered++
      else failed++
    }
  }
  await done
  return { answered, failed }
}

function since(start: number): string {
  return `${Math.round(performance.now() - start)} ms`
}
