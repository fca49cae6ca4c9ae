import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRuleset, printRuleset } from '../../src/iptables/index.ts'
import {
  ipvsContents,
  parseAddresses,
  parseSets,
  parseVirtualServers,
  printAddresses,
  printSets,
  printVirtualServers,
} from '../../src/ipvs/index.ts'
import { contextsOf, history, viewsAfter } from './clusters.ts'

test('parsing is the opposite of printing, for every format', () => {
  let destinations = 0
  let entries = 0
  fc.assert(
    fc.property(history, input => {
      for (const context of contextsOf(input)) {
        const { virtualServers, sets, addresses, iptables } = ipvsContents(context, viewsAfter(input, context))
        expect(parseVirtualServers(printVirtualServers(virtualServers))).toEqual(virtualServers)
        expect(parseSets(printSets(sets))).toEqual(sets)
        expect(parseAddresses(printAddresses(addresses))).toEqual(addresses)
        expect(parseRuleset(printRuleset(iptables))).toEqual(iptables)
        for (const server of virtualServers.values()) destinations += server.destinations.size
        for (const set of sets.values()) entries += set.entries.size
      }
    }),
    { numRuns: 150 },
  )
  expect(destinations).toBeGreaterThan(20)
  expect(entries).toBeGreaterThan(100)
})
