import { describe, expect, test } from 'vitest'
import { renderIpvs } from '../../src/ipvs/index.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { viewsOf } from '../../src/model/views.ts'
import { expected, GOLDEN_CASES } from '../support/golden.ts'

function lines(text: string): string[] {
  return text.split('\n').filter(line => line !== '')
}

/** The rules of each chain in order, but for those of single services, which kube-proxy writes in the order of its walk. */
function rules(save: string): Map<string, string[]> {
  const chains = new Map<string, string[]>()
  let table = ''
  for (const line of lines(save)) {
    const chain = /^(?::|-A )(\S+)/.exec(line)?.[1]
    if (line.startsWith('*')) table = line
    else if (line.startsWith(':')) chains.set(`${table} ${chain}`, [])
    else if (chain !== undefined) chains.get(`${table} ${chain}`)?.push(line)
  }
  chains.get('*filter KUBE-IPVS-OUT-FILTER')?.sort()
  return chains
}

describe.each(GOLDEN_CASES)('$name', golden => {
  test.each([...golden.snapshots.keys()])('step %i is what kube-proxy 1.36 makes', step => {
    const snapshot = golden.snapshots[step]
    if (snapshot === undefined) throw new Error('no such step')
    const report = (): void => undefined
    const { configuration, host } = golden
    const contexts = nodeContexts({ snapshot, configuration, host, nodeName: undefined, report })
    expect(contexts.length).toBeGreaterThan(0)
    for (const context of contexts) {
      const rendered = renderIpvs(context, viewsOf(snapshot, context, report))
      const recorded = (part: string): string => expected(golden, `ipvs.${context.family}.${step}.${part}`) ?? 'no golden file'
      expect(lines(rendered.ipvsadm).sort()).toEqual(lines(recorded('ipvsadm')).sort())
      expect(lines(rendered.ipset).sort()).toEqual(lines(recorded('ipset')).sort())
      expect(lines(rendered.addresses).sort()).toEqual(lines(recorded('addresses')).sort())
      expect(rules(rendered.iptables)).toEqual(rules(recorded('save')))
    }
  })
})
