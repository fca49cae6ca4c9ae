import { endpointName } from '../model/endpoint-slice.ts'
import type { Protocol, ServicePort, ServicePortView } from '../model/types.ts'

/** Names a service port, or a service when the port is not known. */
export interface ServiceRef {
  readonly namespace: string
  readonly name: string
  /** Empty for a nameless port. Undefined: which port it is cannot be told. */
  readonly portName: string | undefined
}

/** Finds the service ports of a snapshot by what rules say of them. Lists are empty for what no service has. */
export class ServiceIndex {
  readonly #refs = new Map<string, ServiceRef[]>()

  constructor(views: Iterable<ServicePortView>) {
    for (const { port, endpoints } of views) {
      const ref: ServiceRef = { namespace: port.namespace, name: port.name, portName: port.portName }
      for (const address of addressesOf(port)) {
        this.#add(address, ref)
        this.#add(frontend(port.protocol, port.port, address), ref)
      }
      if (port.nodePort !== 0) this.#add(frontend(port.protocol, port.nodePort), ref)
      if (port.healthCheckNodePort !== 0) this.#add(frontend('tcp', port.healthCheckNodePort), ref)
      for (const endpoint of endpoints.all) this.#add(`endpoint ${port.protocol} ${endpointName(endpoint)}`, ref)
    }
  }

  #add(key: string, ref: ServiceRef): void {
    const known = this.#refs.get(key)
    if (known === undefined) this.#refs.set(key, [ref])
    else if (known.at(-1) !== ref) known.push(ref)
  }

  /** Those with this address and port; by the address alone, as services without a port, when none has the port. */
  byFrontend(protocol: string, port: string | number, address: string): readonly ServiceRef[] {
    const exact = this.#refs.get(frontend(protocol, port, address))
    return exact ?? uniqueServices(this.byAddress(address))
  }

  /** Those with this node port or health check node port. */
  byNodePort(protocol: string, port: string | number): readonly ServiceRef[] {
    return this.#refs.get(frontend(protocol, port)) ?? []
  }

  /** Those with this cluster IP, external IP or load-balancer address. */
  byAddress(address: string): readonly ServiceRef[] {
    return this.#refs.get(address) ?? []
  }

  byEndpoint(protocol: string, ip: string, port: string | number): readonly ServiceRef[] {
    return this.#refs.get(`endpoint ${protocol} ${endpointName({ ip, port: Number(port) })}`) ?? []
  }
}

function addressesOf({ clusterIP, externalIPs, loadBalancerVIPs }: ServicePort): Set<string> {
  const addresses = new Set([...externalIPs, ...loadBalancerVIPs])
  return clusterIP === '' ? addresses : addresses.add(clusterIP)
}

function frontend(protocol: Protocol | string, port: string | number, address = ''): string {
  return `${address} ${protocol} ${port}`
}

function uniqueServices(refs: readonly ServiceRef[]): readonly ServiceRef[] {
  const services = new Map(refs.map(({ namespace, name }) => [`${namespace}/${name}`, { namespace, name, portName: undefined }]))
  return [...services.values()]
}

/** `Service shop/web port http`; the port's name is left out where there is none. */
export function serviceText({ namespace, name, portName }: ServiceRef): string {
  return `Service ${namespace}/${name}${portName === undefined || portName === '' ? '' : ` port ${portName}`}`
}

/** The service port that a text such as `shop/web:http` names (kube-proxy's service port name). */
export function parseServicePortName(text: string): ServiceRef | undefined {
  const [, namespace, name, portName = ''] = /^([a-z0-9-]+)\/([a-z0-9-]+)(?::([a-z0-9-]+))?$/.exec(text) ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name, portName }
}
