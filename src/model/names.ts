/**
 * Kubernetes' rules for the names that end up in chain names and comments. The model checks them again after the schemas,
 * since its objects may come from a program rather than from a validated file: nothing else keeps a hostile name out of a script.
 */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** RFC 1123 label, at most 63 characters: namespaces, services and service ports. */
export function isLabel(text: string): boolean {
  return LABEL.test(text)
}

/** What a Linux interface may be called as far as a rule can name it: 1 to 15 characters, none with a meaning in nft or iptables. */
export function isInterfaceName(text: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,15}$/.test(text)
}

/** A name as kernel schedulers of IPVS have it, such as `rr`; the kernel's limit is 15 characters. */
export function isSchedulerName(text: string): boolean {
  return /^[a-z]{1,15}$/.test(text)
}
