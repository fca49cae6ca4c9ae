import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cidrContains, isLoopback, parseAddress, parseCIDR } from '../src/address.ts'

const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map(octets => octets.join('.'))
/** Mostly zero groups, so that runs of them occur. */
const groups = fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
/** A way to write eight groups: padded or not, in either case, with the run of zeros elided or not. */
const ipv6 = fc.tuple(groups, fc.boolean(), fc.boolean(), fc.boolean()).map(([numbers, padded, upper, elided]) => {
  const words = numbers.map(number => number.toString(16).padStart(padded ? 4 : 1, '0'))
  const start = numbers.indexOf(0)
  let end = start
  while (numbers[end] === 0) end++
  const text = elided && start >= 0 ? `${words.slice(0, start).join(':')}::${words.slice(end).join(':')}` : words.join(':')
  return upper ? text.toUpperCase() : text
})
/** Texts that are nearly addresses. */
const nearly = fc.oneof(
  ipv4,
  ipv6,
  fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', 'F', 'g', ':', '::', '.', '%', ' ', '-', 'x', '255', 'ffff'), maxLength: 12 }),
  fc
    .tuple(ipv6, fc.nat(40), fc.constantFrom('', ':', '.', '0', 'g'))
    .map(([text, at, insert]) => text.slice(0, at) + insert + text.slice(at)),
  fc.tuple(ipv6, ipv4).map(([six, four]) => `${six.split(':').slice(0, 6).join(':')}:${four}`),
  ipv4.map(text => `::${text}`),
  ipv4.map(text => `::ffff:${text}`),
)
/** The padding that Kubernetes takes for decimal and inet_pton refuses. */
const isPadded = (text: string): boolean => /(^|[:.])0+\d+(?=\.|$)/.test(text) && text.includes('.')
const hasLongGroup = (text: string): boolean => /(^|:)0[0-9a-f]{4,}(:|$)/i.test(text)

describe('parseAddress', () => {
  test.each([
    ['10.0.0.1', 'ipv4', '10.0.0.1'],
    ['0.0.0.0', 'ipv4', '0.0.0.0'],
    ['255.255.255.255', 'ipv4', '255.255.255.255'],
    ['010.001.000.011', 'ipv4', '10.1.0.11'],
    ['0000010.0.0.1', 'ipv4', '10.0.0.1'],
    ['::ffff:10.1.0.1', 'ipv4', '10.1.0.1'],
    ['::FFFF:0a01:0001', 'ipv4', '10.1.0.1'],
    ['::ffff:010.1.0.1', 'ipv4', '10.1.0.1'],
    ['2001:0DB8:0:0::0001', 'ipv6', '2001:db8::1'],
    ['::', 'ipv6', '::'],
    ['0:0:0:0:0:0:0:0', 'ipv6', '::'],
    ['::1', 'ipv6', '::1'],
    ['1::', 'ipv6', '1::'],
    ['1:0:0:2:0:0:0:3', 'ipv6', '1:0:0:2::3'],
    ['1:0:0:2:3:0:0:4', 'ipv6', '1::2:3:0:0:4'],
    ['1:0:2:3:4:5:6:7', 'ipv6', '1:0:2:3:4:5:6:7'],
    ['1:2:3:4:5:6:7::', 'ipv6', '1:2:3:4:5:6:7:0'],
    ['::1.2.3.4', 'ipv6', '::102:304'],
    ['64:ff9b::192.0.2.33', 'ipv6', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:1.2.3.4', 'ipv6', '1:2:3:4:5:6:102:304'],
    ['00001::', 'ipv6', '1::'],
  ] as const)('%s is %s %s', (text, family, canonical) => {
    expect(parseAddress(text)).toEqual({ family, text: canonical })
  })

  test.each([
    ['', 'empty'],
    ['10.0.0', 'three octets'],
    ['10.0.0.1.', 'a dot at the end'],
    ['10..0.1', 'an empty octet'],
    ['10.0.0.256', 'an octet over 255'],
    ['0x0a.0.0.1', 'a hex octet'],
    ['+1.0.0.1', 'a sign'],
    [' 10.0.0.1', 'a space'],
    ['10.0.0.1\n', 'a newline'],
    ['10.0.0.1/32', 'a prefix'],
    ['١.0.0.1', 'a digit of another script'],
    ['fe80::1%eth0', 'a zone'],
    [':::', 'three colons'],
    ['1::2::3', 'two elisions'],
    ['1:2:3:4:5:6:7', 'seven groups'],
    ['1:2:3:4:5:6:7:8:9', 'nine groups'],
    ['1:2:3:4:5:6:7:8::', 'an elision of nothing'],
    ['1:2:3:4:5:6:7:1.2.3.4', 'an IPv4 part in place of one group'],
    ['1::2:3:4:5:6:7:1.2.3.4', 'an IPv4 part in place of one group after an elision'],
    ['1::2:3:4:5:6:1.2.3.4', 'an elision of nothing before an IPv4 part'],
    ['1.2.3.4::', 'an IPv4 part in front'],
    ['::ffff:0x1.2.3.4', 'a hex octet in the IPv4 part'],
    ['::12345', 'a group of five digits'],
    ['::g', 'a letter that is no digit'],
    ['1:', 'a colon at the end'],
    [':1', 'a colon at the start'],
    [`::${'0'.repeat(100)}1`, 'endless padding'],
  ])('refuses %j: %s', text => {
    expect(parseAddress(text)).toBeUndefined()
  })

  test('takes what inet_pton takes, and padding besides', () => {
    fc.assert(
      fc.property(nearly, text => {
        if (isPadded(text) || hasLongGroup(text)) return
        expect(parseAddress(text) !== undefined).toBe(isIP(text) !== 0 && !text.includes('%'))
      }),
      { numRuns: 2000 },
    )
  })

  test('IPv6 is written as the URL standard writes it', () => {
    fc.assert(
      fc.property(ipv6, text => {
        const parsed = parseAddress(text)
        if (parsed?.family === 'ipv4') return
        expect(`[${parsed?.text}]`).toBe(new URL(`http://[${text}]/`).hostname)
      }),
      { numRuns: 1000 },
    )
  })

  test('canonical text is its own canonical text', () => {
    fc.assert(
      fc.property(nearly, text => {
        const parsed = parseAddress(text)
        if (parsed !== undefined) expect(parseAddress(parsed.text)).toEqual(parsed)
      }),
      { numRuns: 1000 },
    )
  })
})

/** An address as one number of 32 or 128 bits, from any canonical text. */
function bits(text: string): bigint {
  if (!text.includes(':')) return text.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n)
  const [head = '', tail = ''] = text.split('::')
  const words = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const zeros = text.includes('::') ? Array<string>(8 - words(head).length - words(tail).length).fill('0') : []
  return [...words(head), ...zeros, ...words(tail)].reduce((sum, word) => sum * 65536n + BigInt(`0x${word}`), 0n)
}

const sized = fc.oneof(
  fc.record({ text: ipv4, size: fc.constant(32) }),
  fc.record({ text: ipv6.filter(text => parseAddress(text)?.family === 'ipv6'), size: fc.constant(128) }),
)
const ranges = sized.chain(({ text, size }) => fc.record({ text: fc.constant(text), size: fc.constant(size), prefix: fc.nat(size) }))

describe('parseCIDR', () => {
  test.each([
    ['10.1.2.3/8', 'ipv4', '10.0.0.0/8'],
    ['010.1.2.3/08', 'ipv4', '10.0.0.0/8'],
    ['192.0.2.255/31', 'ipv4', '192.0.2.254/31'],
    ['192.0.2.1/32', 'ipv4', '192.0.2.1/32'],
    ['1.2.3.4/0', 'ipv4', '0.0.0.0/0'],
    ['2001:db8::ffff/33', 'ipv6', '2001:db8::/33'],
    ['2001:DB8::1/128', 'ipv6', '2001:db8::1/128'],
    ['ffff::/0', 'ipv6', '::/0'],
    ['::ffff:10.1.2.3/104', 'ipv4', '10.0.0.0/8'],
    ['::ffff:10.1.2.3/96', 'ipv4', '0.0.0.0/0'],
    ['::ffff:10.1.2.3/95', 'ipv6', '::fffe:0:0/95'],
    ['::ffff:10.1.2.3/64', 'ipv6', '::/64'],
  ] as const)('%s is %s %s', (text, family, canonical) => {
    expect(parseCIDR(text)).toEqual({ family, text: canonical })
  })

  test.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/+8',
    '10.0.0.0/8 ',
    '10.0.0.0/1e1',
    '10.0.0.0/8/8',
    '/8',
    'fe80::%1/64',
  ])('refuses %j', text => {
    expect(parseCIDR(text)).toBeUndefined()
  })

  test('clears the bits behind the prefix and no other', () => {
    fc.assert(
      fc.property(ranges, ({ text, size, prefix }) => {
        const [network = '', length] = (parseCIDR(`${text}/${prefix}`)?.text ?? '').split('/')
        const behind = BigInt(size - prefix)
        expect(length).toBe(String(prefix))
        expect(bits(network)).toBe((bits(parseAddress(text)?.text ?? '') >> behind) << behind)
      }),
    )
  })
})

describe('cidrContains', () => {
  test.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '203.0.113.7', false],
    ['::/0', '2001:db8::1', true],
    ['2001:db8::/64', '2001:db8::ffff:0:0:1', true],
    ['2001:db8::/64', '2001:db8:0:1::1', false],
    ['192.168.0.2/32', '192.168.0.2', true],
    ['fd00::/8', '10.0.0.1', false],
  ])('%s, %s: %s', (cidr, address, expected) => {
    expect(cidrContains(cidr, address)).toBe(expected)
  })

  test('an address is in a range when its first bits are', () => {
    fc.assert(
      fc.property(ranges, ranges, (range, other) => {
        const cidr = parseCIDR(`${range.text}/${range.prefix}`)?.text ?? ''
        const address = parseAddress(other.text)?.text ?? ''
        const behind = BigInt(range.size - range.prefix)
        const network = bits(cidr.split('/')[0] ?? '')
        expect(cidrContains(cidr, address)).toBe(range.size === other.size && bits(address) >> behind === network >> behind)
        expect(cidrContains(cidr, parseAddress(range.text)?.text ?? '')).toBe(true)
      }),
    )
  })
})

test.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['12.7.0.1', false],
  ['::1', true],
  ['::', false],
  ['::127', false],
])('isLoopback(%s) is %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})
