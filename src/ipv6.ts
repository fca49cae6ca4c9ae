/** The eight 16-bit groups of an IPv6 address. */
export type Groups = readonly number[]

const GROUPS = 8

/**
 * Reads an IPv6 address as Kubernetes' sloppy parser does (k8s.io/utils/net ParseIPSloppy, Go's net.ParseIP before 1.17): groups of hex
 * digits with any number of leading zeros, `::` for one group or more, an IPv4 address in place of the last two groups, no zone.
 * `parseIPv4` gives canonical text.
 */
export function parseIPv6(text: string, parseIPv4: (text: string) => string | undefined): Groups | undefined {
  const groups = [0, 0, 0, 0, 0, 0, 0, 0]
  let count = 0
  let elision = text.startsWith('::') ? 0 : -1
  let i = elision < 0 ? 0 : 2
  while (i < text.length || elision !== count) {
    if (count === GROUPS) return undefined
    const start = i
    let group = 0
    for (let digit = hexDigit(text, i); digit >= 0; digit = hexDigit(text, ++i)) {
      group = group * 16 + digit
      if (group > 0xffff) return undefined
    }
    if (i === start) return undefined
    if (text[i] === '.') {
      const v4 = parseIPv4(text.slice(start))
      if (v4 === undefined || count > GROUPS - 2) return undefined
      const octets = v4.split('.').map(Number)
      groups[count++] = pair(octets, 0)
      groups[count++] = pair(octets, 2)
      break
    }
    groups[count++] = group
    if (i === text.length) break
    if (text[i++] !== ':') return undefined
    if (text[i] !== ':') continue
    if (elision >= 0) return undefined
    elision = count
    i++
  }
  if (elision < 0) return count === GROUPS ? groups : undefined
  if (count === GROUPS) return undefined
  const resumes = GROUPS - (count - elision)
  return groups.copyWithin(resumes, elision, count).fill(0, elision, resumes)
}

function pair(octets: readonly number[], index: number): number {
  return (octets[index] as number) * 256 + (octets[index + 1] as number)
}

/** The value of the hex digit at a place; -1 when there is none. */
function hexDigit(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** RFC 5952 text: lower case, no leading zeros, `::` for the longest run of two zero groups or more, the first of equal ones. */
export function formatIPv6(groups: Groups): string {
  let runStart = GROUPS
  let runEnd = GROUPS
  for (let start = 0; start < GROUPS; start++) {
    let end = start
    while (end < GROUPS && groups[end] === 0) end++
    if (end - start > Math.max(1, runEnd - runStart)) {
      runStart = start
      runEnd = end
    }
    start = end
  }
  let text = ''
  for (let i = 0; i < GROUPS; i++) {
    if (i === runStart) {
      text += '::'
      i = runEnd - 1
    } else text += i === 0 || i === runEnd ? (groups[i] as number).toString(16) : `:${(groups[i] as number).toString(16)}`
  }
  return text
}

/** The IPv4 address, as text, that an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`) stands for. */
export function mappedIPv4(groups: Groups): string | undefined {
  if (groups[5] !== 0xffff || groups.slice(0, 5).some(group => group !== 0)) return undefined
  return groups
    .slice(6)
    .map(group => `${group >> 8}.${group & 255}`)
    .join('.')
}
