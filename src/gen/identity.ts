import { mulberry32 } from './random.ts'

const NAMESPACES =
  'accounts billing booking cart catalog checkout delivery discovery fraud identity inventory kyc ledger loyalty media notifications orders payments pricing profile promotions ratings returns search'.split(
    ' ',
  )
const SUBJECTS =
  'address audit balance batch cache campaign card category client consent content coupon currency customer device document event export feed geo image import index invoice item job label limit location mail message metric offer order page partner payout plan price product quota rate receipt refund report review risk rule session shipment stock tax token tracking user voucher wallet'.split(
    ' ',
  )
const ROLES = 'api gateway worker store proxy indexer'.split(' ')
/** Letters and digits of generated suffixes, without vowels and look-alikes (k8s.io/apimachinery, pkg/util/rand). */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIXES = SUFFIX_LETTERS.length ** 5

/** Namespace and name of the service with this number; no two are the same. */
export function serviceName(service: number): { readonly namespace: string; readonly name: string } {
  const subject = Math.floor(service / NAMESPACES.length)
  const role = Math.floor(subject / SUBJECTS.length)
  const round = Math.floor(role / ROLES.length)
  const name = `${SUBJECTS[subject % SUBJECTS.length]}-${ROLES[role % ROLES.length]}`
  return { namespace: NAMESPACES[service % NAMESPACES.length]!, name: round === 0 ? name : `${name}-${round + 1}` }
}

/** The five letters that the API server appends to a generateName; different for the first 14 million numbers. */
export function suffix(number: number): string {
  let rest = (number * 7_368_787 + 5_000_011) % SUFFIXES
  let letters = ''
  for (let i = 0; i < 5; i++) {
    letters += SUFFIX_LETTERS[rest % SUFFIX_LETTERS.length]
    rest = Math.floor(rest / SUFFIX_LETTERS.length)
  }
  return letters
}

const UID_STREAMS = { Node: 1, ServiceCIDR: 2, Service: 3, EndpointSlice: 4, Pod: 5 } as const

/** The uid of an object: a version 4 UUID (RFC 9562). */
export function uid(seed: number, kind: keyof typeof UID_STREAMS, number: number): string {
  const random = mulberry32(seed ^ Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(UID_STREAMS[kind], 0x85ebca6b))
  const word = (): string => (random() * 2 ** 32).toString(16).padStart(8, '0')
  const [a, b, c, d] = [word(), word(), word(), word()]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${'89ab'[Number.parseInt(c[0]!, 16) & 3]}${c.slice(1, 4)}-${c.slice(4)}${d}`
}

const FIRST_CREATION = Date.UTC(2025, 0, 1, 8, 0, 0)

/** RFC 3339, one minute for each number: a lower number is older. */
export function creationTimestamp(number: number): string {
  return `${new Date(FIRST_CREATION + number * 60_000).toISOString().slice(0, 19)}Z`
}
