import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOLDEN_CASES, type GoldenCase } from '../support/golden.ts'
import { inNamespace } from '../support/kernel.ts'

/** Interfaces that a golden names by index have to exist before nft takes it. */
const INTERFACES = 'ip link add cni0 type veth peer name cbr0\n'

function nftFiles({ folder }: GoldenCase, ending: string): string[] {
  return readdirSync(path.join(folder, 'expected'))
    .filter(name => name.endsWith(ending))
    .sort()
    .map(name => path.join(folder, 'expected', name))
}

/** The files that `nft -c -f` refuses, each with nft's first line about it. */
function refused(files: readonly string[]): Record<string, string> {
  const output = inNamespace(`${INTERFACES}for f in ${files.join(' ')}; do nft -c -f "$f" 2>&1 | sed "s|^|$f |" | head -n 1; done`)
  return Object.fromEntries(
    output.split('\n').flatMap(line => (line === '' ? [] : [[line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]])),
  )
}

test('nft takes every golden ruleset, but for kube-proxy 1.34 with an interface prefix, which no nft takes', () => {
  const files = GOLDEN_CASES.flatMap(golden => nftFiles(golden, '.nft'))
  expect(files.length).toBeGreaterThan(200)
  const found = refused(files)
  const hopeless = files.filter(file => / iif (!= )?\S+\* /.test(readFileSync(file, 'utf8')))
  expect(Object.keys(found).sort()).toEqual(hopeless)
  expect(hopeless.every(file => path.basename(file).startsWith('nftables-1.34.'))).toBe(true)
})

describe('nft takes the recorded transactions one after the other', () => {
  const sequences = GOLDEN_CASES.filter(golden => nftFiles(golden, '.transaction').length > 0)

  test.each(sequences)('$name', golden => {
    for (const family of ['ipv4', 'ipv6']) {
      const transactions = nftFiles(golden, '.transaction').filter(file => file.includes(`.${family}.`))
      if (transactions.length === 0) continue
      const first = path.join(golden.folder, 'expected', `nftables-1.36.${family}.0.nft`)
      const output = inNamespace(`for f in ${[first, ...transactions].join(' ')}; do nft -f "$f" 2>&1 || echo "refused $f"; done`)
      expect(output).toBe('')
    }
  })
})
