import { parseAddress, parseCIDR } from '../../address.ts'
import { isDNSLabel, isDNSSubdomain, isHostInterfaceName, isInterfaceName, isLabelKey, isLabelValue, isSchedulerName } from '../../names.ts'

/** What a string must be: the test, how a text that fails is called, and how to write it. */
export interface Format {
  readonly validate: (text: string) => boolean
  readonly wrong: string
  readonly fix: string
}

const isAddress = (text: string): boolean => parseAddress(text) !== undefined
const isCIDR = (text: string): boolean => parseCIDR(text) !== undefined
const isOneCIDRAFamily = (text: string): boolean => {
  const families = text.split(',', 3).map(part => parseCIDR(part)?.family)
  return families.length <= 2 && !families.includes(undefined) && new Set(families).size === families.length
}

const ADDRESS_FIX = 'Write an IPv4 or IPv6 address without prefix length or zone, such as 10.0.0.1 or 2001:db8::1.'
const CIDR_FIX = 'Write an address and a prefix length, such as 10.0.0.0/8 or 2001:db8::/32.'
const LABEL_FIX = 'Use at most 63 lower case letters, digits and "-", with a letter or digit first and last.'
const SUBDOMAIN_FIX = 'Use at most 253 lower case letters, digits, "-" and ".", with a letter or digit first and last and around each ".".'
const INTERFACE_FIX = 'Use 1 to 15 letters, digits, "_", ".", ":" and "-".'

/** The string formats of the schemas, by name. */
export const FORMATS = {
  address: { validate: isAddress, wrong: 'is not an IP address', fix: ADDRESS_FIX },
  'address-or-empty': { validate: text => text === '' || isAddress(text), wrong: 'is not an IP address', fix: ADDRESS_FIX },
  'host-address': {
    validate: text => /^[A-Za-z0-9_.:-]{1,253}$/.test(text),
    wrong: 'is neither an IP address nor a host name',
    fix: ADDRESS_FIX,
  },
  'cluster-ip': {
    validate: text => text === '' || text === 'None' || isAddress(text),
    wrong: 'is not a cluster IP',
    fix: 'Write an IPv4 or IPv6 address, or None for a headless service.',
  },
  cidr: { validate: isCIDR, wrong: 'is not a CIDR', fix: CIDR_FIX },
  'cidr-or-empty': { validate: text => text === '' || isCIDR(text), wrong: 'is not a CIDR', fix: CIDR_FIX },
  // Spaces around a range are legal: API server and kube-proxy trim them.
  'source-range': {
    validate: text => isCIDR(text.trim()),
    wrong: 'is not a CIDR',
    fix: `${CIDR_FIX} Leaving a range out would open or close the service for someone, so nothing is rendered.`,
  },
  'cluster-cidr': {
    validate: text => text === '' || isOneCIDRAFamily(text),
    wrong: 'is not one CIDR, nor one of each family with a comma between them',
    fix: 'Write 10.0.0.0/8, or 10.0.0.0/8,fd00::/64 without a space.',
  },
  'node-port-address': {
    validate: text => text === 'primary' || isCIDR(text),
    wrong: 'is neither a CIDR nor primary',
    fix: `${CIDR_FIX} Or write ["primary"] for the node's primary addresses.`,
  },
  'dns-label': { validate: isDNSLabel, wrong: 'is not a DNS label', fix: LABEL_FIX },
  'port-name': {
    validate: text => text === '' || isDNSLabel(text),
    wrong: 'is not a port name',
    fix: LABEL_FIX,
  },
  'dns-subdomain': { validate: isDNSSubdomain, wrong: 'is not a DNS subdomain', fix: SUBDOMAIN_FIX },
  // kubelet and kube-proxy trim and lower the case of the override.
  'hostname-override': {
    validate: text => text === '' || isDNSSubdomain(text.trim().toLowerCase()),
    wrong: 'is not a node name',
    fix: SUBDOMAIN_FIX,
  },
  'domain-name': {
    validate: text => isDNSSubdomain(text.endsWith('.') ? text.slice(0, -1) : text),
    wrong: 'is not a domain name',
    fix: SUBDOMAIN_FIX,
  },
  'domain-name-or-empty': {
    validate: text => text === '' || isDNSSubdomain(text.endsWith('.') ? text.slice(0, -1) : text),
    wrong: 'is not a domain name',
    fix: SUBDOMAIN_FIX,
  },
  'label-key': {
    validate: isLabelKey,
    wrong: 'is not a label key',
    fix: 'Write name or prefix/name: the name like a label value, the prefix a DNS subdomain.',
  },
  'label-value': {
    validate: isLabelValue,
    wrong: 'is not a label value',
    fix: 'Use at most 63 letters, digits, "-", "_" and ".", with a letter or digit first and last.',
  },
  'interface-name': { validate: isInterfaceName, wrong: 'is not an interface name', fix: INTERFACE_FIX },
  'interface-name-or-empty': {
    validate: text => text === '' || isInterfaceName(text),
    wrong: 'is not an interface name',
    fix: INTERFACE_FIX,
  },
  'host-interface-name': { validate: isHostInterfaceName, wrong: 'is not an interface name', fix: INTERFACE_FIX },
  scheduler: {
    validate: text => text === '' || isSchedulerName(text),
    wrong: 'is not the name of an IPVS scheduler',
    fix: 'Write one such as rr, lc, sh or mh.',
  },
  'nfacct-name': {
    validate: text => /^[A-Za-z0-9_.-]{1,31}$/.test(text),
    wrong: 'is not the name of an nfacct counter',
    fix: 'Write the names that `nfacct list` prints.',
  },
  timestamp: {
    validate: text => text.length <= 40 && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text),
    wrong: 'is not a time',
    fix: 'Write it as RFC 3339 wants, such as 2024-05-01T10:00:00Z.',
  },
} as const satisfies Readonly<Record<string, Format>>

export type FormatName = keyof typeof FORMATS
