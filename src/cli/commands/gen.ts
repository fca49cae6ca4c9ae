import type { Argv, InferredOptionTypes, Options } from 'yargs'
import { generateCluster, MIXES, type Mix, printList } from '../../gen/index.ts'
import { write } from '../io.ts'
import type { Command, CommonArguments } from '../options.ts'

const share = (describe: string) =>
  ({ type: 'number', requiresArg: true, describe, group: 'Shares, from 0 to 1:' }) as const satisfies Options

/** A flag for each share of a mix, in words of the services that can have it. */
const SHARES = {
  'node-port': share('NodePort services'),
  'load-balancer': share('LoadBalancer services'),
  headless: share('headless services'),
  'external-name': share('ExternalName services'),
  'external-local': share('external policy Local, of NodePort and LoadBalancer services'),
  'internal-local': share('internal policy Local'),
  'external-ips': share('services with an external IP'),
  'session-affinity': share('ClientIP session affinity'),
  'source-ranges': share('source ranges, of LoadBalancer services'),
  udp: share('services on UDP'),
  sctp: share('services on SCTP'),
  'multi-port': share('services with three ports'),
  'dual-stack': share('services in both families'),
  'topology-hints': share('services whose endpoints have zone hints'),
  terminating: share('services with one more endpoint that terminates'),
  'without-endpoints': share('services without endpoints'),
} as const satisfies Readonly<Record<string, Options>>

const OPTIONS = {
  services: { type: 'number', requiresArg: true, demandOption: true, describe: 'How many services' },
  endpoints: { type: 'number', requiresArg: true, default: 3, describe: 'Ready endpoints of each' },
  seed: { type: 'number', requiresArg: true, default: 1, describe: 'The same seed and options give the same cluster' },
  nodes: { type: 'number', requiresArg: true, describe: 'How many nodes; by default one for every 110 endpoints' },
  zones: { type: 'number', requiresArg: true, default: 3, describe: 'How many zones' },
  family: { choices: ['ipv4', 'ipv6'] as const, default: 'ipv4' as const, describe: 'Family of single-stack services' },
  mix: {
    choices: Object.keys(MIXES) as (keyof typeof MIXES)[],
    default: 'plain' as keyof typeof MIXES,
    describe: 'plain: ClusterIP with one TCP port; everything: some of each feature',
  },
  'load-balancer-node-ports': { type: 'boolean', default: true, describe: 'Give LoadBalancer services node ports' },
  output: { alias: 'o', choices: ['yaml', 'json'] as const, default: 'yaml' as const, describe: 'Form of the List' },
} satisfies Record<string, Options>

type Arguments = InferredOptionTypes<typeof OPTIONS> & Partial<Mix> & { loadBalancerNodePorts: boolean } & CommonArguments

export const gen: Command<Arguments> = {
  command: 'gen',
  describe: 'Print a synthetic cluster of any size, as kubectl get -o yaml prints one',
  builder: yargs => yargs.options({ ...OPTIONS, ...SHARES }) as unknown as Argv<Arguments>,
  run: async (args, io) => {
    const { services, endpoints, seed, nodes, zones, family, mix, loadBalancerNodePorts, output } = args
    const shares = Object.fromEntries(
      (Object.keys(MIXES.plain) as (keyof Mix)[]).filter(name => args[name] !== undefined).map(name => [name, args[name]]),
    )
    const cluster = generateCluster({
      ...MIXES[mix],
      ...shares,
      services,
      endpoints,
      seed,
      zones,
      loadBalancerNodePorts,
      primaryFamily: family === 'ipv4' ? 'IPv4' : 'IPv6',
      ...(nodes === undefined ? {} : { nodes }),
    })
    for (const chunk of printList(cluster, output)) await write(io.stdout, chunk)
    return 0
  },
}
