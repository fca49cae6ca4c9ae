import { endpointSliceSchema } from '../schemas/endpoint-slice.ts'
import { kubeProxyConfigurationSchema } from '../schemas/kube-proxy-configuration.ts'
import { nodeSchema } from '../schemas/node.ts'
import type { ObjectSchema } from '../schemas/schema.ts'
import { serviceSchema } from '../schemas/service.ts'
import { serviceCIDRSchema } from '../schemas/service-cidr.ts'
import type { EndpointSlice, KubeProxyConfiguration, Node, Service, ServiceCIDR } from '../types.ts'
import { checkConfiguration } from '../validation/configuration-rules.ts'
import { checkService, type ObjectProblem } from '../validation/service-rules.ts'
import { Validator } from '../validation/validator.ts'

/** The types of the kinds that are read. */
export interface ObjectTypes {
  readonly Node: Node
  readonly ServiceCIDR: ServiceCIDR
  readonly Service: Service
  readonly EndpointSlice: EndpointSlice
  readonly KubeProxyConfiguration: KubeProxyConfiguration
}

export type KindName = keyof ObjectTypes

/** All there is to know of a kind. A kind of the same name in another group (Knative has a Service too) is another kind. */
export interface Kind {
  readonly group: string
  /** Versions in which the fields that are read have the same names and meaning. */
  readonly versions: readonly string[]
  readonly namespaced: boolean
  readonly schema: ObjectSchema
  readonly validator: Validator
  /** What the schema cannot say; called with an object that has passed it. */
  readonly check?: (object: never, problem: ObjectProblem) => void
}

const kind = (group: string, versions: readonly string[], namespaced: boolean, schema: ObjectSchema, check?: Kind['check']): Kind => ({
  group,
  versions,
  namespaced,
  schema,
  validator: new Validator(schema),
  ...(check === undefined ? {} : { check }),
})

export const KINDS: Readonly<Record<KindName, Kind>> = {
  Node: kind('', ['v1'], false, nodeSchema),
  ServiceCIDR: kind('networking.k8s.io', ['v1', 'v1beta1'], false, serviceCIDRSchema),
  Service: kind('', ['v1'], true, serviceSchema, checkService),
  EndpointSlice: kind('discovery.k8s.io', ['v1'], true, endpointSliceSchema),
  KubeProxyConfiguration: kind('kubeproxy.config.k8s.io', ['v1alpha1'], false, kubeProxyConfigurationSchema, checkConfiguration),
}

export function isKindName(name: string): name is KindName {
  return Object.hasOwn(KINDS, name)
}

/** `discovery.k8s.io` and `v1` of `discovery.k8s.io/v1`; the core group is empty. */
export function groupAndVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/')
  return [apiVersion.slice(0, Math.max(0, slash)), apiVersion.slice(slash + 1)]
}
