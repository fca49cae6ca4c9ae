import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInterfaceName } from '../../src/names.ts'
import { NFT_KEYWORDS } from '../../src/nft/keywords.ts'
import { readListing } from '../../src/nft/listing.ts'
import { fittingComment, quoteComment, quoteInterface } from '../../src/nft/quote.ts'
import { inNamespace, loading } from '../support/kernel.ts'
import { comment } from './arbitraries.ts'

const NAME = { family: 'ipv4', table: 't' } as const

/** The rules that the kernel has after these were loaded. */
function inKernel(rules: readonly string[]): readonly string[] {
  const script = ['add table ip t', 'add chain ip t c', ...rules.map(rule => `add rule ip t c ${rule}`), ''].join('\n')
  return readListing(inNamespace(`${loading(script)}nft list table ip t`), NAME)?.chains.get('c')?.rules ?? []
}

describe('interface names', () => {
  test('are quoted only where they must be', () => {
    expect(['cni0', 'cbr0', 'cali*', 'ip6*', 'eth0.100', 'br-1', '_x'].map(quoteInterface)).toEqual([
      'cni0',
      'cbr0',
      'cali*',
      'ip6*',
      'eth0.100',
      'br-1',
      '_x',
    ])
    expect(['map', 'or', '0x1', '10', 'eth0:1', '-a', 'a b', '@a', 'a#b', '.'].map(quoteInterface)).toEqual(
      ['map', 'or', '0x1', '10', 'eth0:1', '-a', 'a b', '@a', 'a#b', '.'].map(name => `"${name}"`),
    )
  })

  test('a name of full length has no ending', () => {
    expect(quoteInterface('abcdefghijklmn*')).toBe('abcdefghijklmn*')
    expect(quoteInterface('abcdefghijklmno*')).toBe('abcdefghijklmno')
  })

  test('cannot hold a quote', () => {
    expect(() => quoteInterface('a"b')).toThrow()
    expect(() => quoteInterface('a\nb')).toThrow()
  })

  test('of every kind come back from the kernel as they were', () => {
    const random = fc.sample(fc.stringMatching(/^[A-Za-z0-9_.:-]{1,15}$/).filter(isInterfaceName), { numRuns: 300, seed: 1 })
    const rules = [...NFT_KEYWORDS, ...random, 'abcdefghijklmno', 'abcdefghijklmno*', 'a b', 'a#b;{}'].flatMap(name => [
      `iifname ${quoteInterface(name)} drop`,
      ...(name.length < 15 ? [`iifname != ${quoteInterface(`${name}*`)} drop`] : []),
    ])
    expect(inKernel(rules)).toEqual(rules)
  })
})

describe('comments', () => {
  test('are refused when nft cannot take them', () => {
    expect(quoteComment('a'.repeat(128))).toHaveLength(130)
    expect(() => quoteComment('é'.repeat(65))).toThrow()
    expect(() => quoteComment('a"b')).toThrow()
    expect(() => quoteComment('a\nb')).toThrow()
  })

  test('are cut to what nft takes', () => {
    expect(fittingComment('shop/web:http')).toBe('shop/web:http')
    expect(quoteComment(fittingComment(`${'a'.repeat(63)}/${'b'.repeat(63)}:${'c'.repeat(15)}`))).toHaveLength(130)
  })

  test('of every kind come back from the kernel as they were', () => {
    const rules = [
      ...fc.sample(
        comment.filter(text => text !== ''),
        { numRuns: 200, seed: 1 },
      ),
      'é'.repeat(64),
    ].map(text => `drop comment ${quoteComment(text)}`)
    expect(inKernel(rules)).toEqual(rules)
  })
})
