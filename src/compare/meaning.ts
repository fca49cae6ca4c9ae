import { SETS } from '../ipvs/sets.ts'

/** What an object is for, by how `Difference.object` names it. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/ (?:map|set) (?:local-)?(?:tcp|udp|sctp)-nodeport-endpoints$/, 'the endpoint in a slot of a node port'],
  [/ (?:map|set) (?:local-)?(?:tcp|udp|sctp)-endpoints$/, 'the endpoint in a slot of an address and port'],
  [/ local-service-(?:ips|nodeports)$/, 'sends external traffic of policy Local to endpoints on this node'],
  [/ service-ips$/, 'sends packets to a cluster IP, external IP or load-balancer address on to the endpoints'],
  [/ service-nodeports$/, 'sends packets to a node port on to the endpoints'],
  [/ no-endpoint-(?:services|nodeports)$/, 'rejects or drops packets to a service that has no endpoint for them'],
  [/ firewall-ips$/, 'leads packets to a load-balancer address through its source ranges'],
  [/ cluster-ips$/, 'a cluster IP in use: packets to its other ports are rejected'],
  [/ hairpin-connections$/, 'masquerades the connections of an endpoint to itself'],
  [/ nodeport-ips$/, 'an address of the node that takes node port traffic'],
  [/ (?:chain|set) affinity-/, 'remembers the clients of an endpoint (session affinity)'],
  [/ chain endpoint-| KUBE-SEP-/, 'rewrites packets to one endpoint'],
  [/ chain (?:local-)?(?:nodeport-)?(?:tcp|udp|sctp)-\d+$/, 'picks one of so many endpoints by chance'],
  [/ chain external-| KUBE-EXT-/, 'takes traffic from outside: masquerades it, or keeps it local'],
  [/ chain firewall-| KUBE-FW-/, 'lets the source ranges of a load balancer through'],
  [/ chain service-| KUBE-SVC-/, 'picks one of the endpoints in the cluster'],
  [/ chain local-| KUBE-SVL-/, 'picks one of the endpoints on this node'],
  [/ chain nat KUBE-SERVICES$/, 'leads packets to service addresses to the chains of their service'],
  [/ chain nat KUBE-NODEPORTS$/, 'leads packets to node ports to the chains of their service'],
  [/ chain filter KUBE-(?:SERVICES|EXTERNAL-SERVICES)$/, 'rejects or drops packets to a service that has no endpoint for them'],
  [/ chain filter KUBE-NODEPORTS$/, 'lets health checks of load balancers in'],
  [/ chain filter KUBE-PROXY-FIREWALL$/, 'drops packets to a load-balancer address that no source range let through'],
  [/ chain filter KUBE-IPVS-OUT-FILTER$/, 'keeps the node itself from a load-balancer address with source ranges'],
  [/^virtual server$/, 'takes the connections to an address and port'],
  [/^destination$/, 'an endpoint behind a virtual server'],
  [/^address on /, 'makes the node take packets to this address for its own'],
]

/** Says what the object of a difference is for; undefined for what the names do not tell. */
export function meaningOf(object: string): string | undefined {
  const set = / set (KUBE-\S+)$/.exec(` ${object}`)?.[1]?.replace('KUBE-6-', 'KUBE-')
  const known = set === undefined ? undefined : Object.entries(SETS).find(([name]) => name === set || name.startsWith(set))
  return known?.[1].comment ?? MEANINGS.find(([pattern]) => pattern.test(` ${object}`))?.[1]
}
