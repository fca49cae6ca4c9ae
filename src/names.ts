/**
 * Kubernetes' rules for names (apimachinery, pkg/util/validation) and Linux' for interfaces. Schemas check them, and the model does so again, since
 * its objects may come from a program rather than from a validated file: nothing else keeps a hostile name out of a script.
 * Lengths come first, so that a hostile text costs nothing.
 */

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const QUALIFIED = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/
const INTERFACE = /^[A-Za-z0-9_.:-]{1,15}$/
const HOST_INTERFACE = /^[A-Za-z0-9_.:@-]{1,15}$/

/** A DNS-1123 label: names of Services, namespaces and ports. */
export function isDNSLabel(text: string): boolean {
  return text.length <= 63 && LABEL.test(text)
}

/** A DNS-1123 subdomain: names of Nodes, EndpointSlices and ServiceCIDRs. */
export function isDNSSubdomain(text: string): boolean {
  return text.length <= 253 && SUBDOMAIN.test(text)
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && QUALIFIED.test(text))
}

/** `prefix/name` or `name`. */
export function isLabelKey(text: string): boolean {
  if (text.length > 317) return false
  const slash = text.indexOf('/')
  const name = text.slice(slash + 1)
  return name.length <= 63 && QUALIFIED.test(name) && (slash < 0 || isDNSSubdomain(text.slice(0, slash)))
}

/** An interface name, or the start of one, that may be printed in a rule: at most IFNAMSIZ - 1 characters, no wildcard of nft (`*`) or iptables (`+`). */
export function isInterfaceName(text: string): boolean {
  return INTERFACE.test(text)
}

/** As the host has it: `ip addr` prints `eth0@if5` for one end of a veth pair. */
export function isHostInterfaceName(text: string): boolean {
  return HOST_INTERFACE.test(text)
}

/** A name as kernel schedulers of IPVS have it, such as `rr`; the kernel's limit is 15 characters. */
export function isSchedulerName(text: string): boolean {
  return /^[a-z]{1,15}$/.test(text)
}
