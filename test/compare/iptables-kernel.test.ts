import { describe, expect, test } from 'vitest'
import { recognise } from '../../src/compare/dumps/recognise.ts'
import { compareIptables } from '../../src/compare/iptables/compare-iptables.ts'
import { readRuleset } from '../../src/compare/iptables/read.ts'
import { iptablesRuleset, printRuleset } from '../../src/iptables/index.ts'
import { inNamespace } from '../support/kernel.ts'
import { seenGoldens } from './cases.ts'

const TOOLS = { ipv4: 'iptables', ipv6: 'ip6tables' } as const

/** What other programs and the kubelet put beside kube-proxy's rules. */
const OTHERS = `*filter
:DOCKER-USER - [0:0]
:KUBE-KUBELET-CANARY - [0:0]
-A INPUT -i lo -j ACCEPT
-A FORWARD -j DOCKER-USER
-A DOCKER-USER -j RETURN
COMMIT
`

describe.each(['legacy', 'nft'] as const)('iptables-%s', variant => {
  // Few kernels that test this have nfacct, so the rules are loaded without; the nodes here have the counters, which must make no difference.
  test('every golden case, loaded and saved beside rules of others, is what the snapshot asks for', () => {
    const cases = seenGoldens().filter(({ step }) => step === 0)
    const counterless = seenGoldens({ nfacct: false }).filter(({ step }) => step === 0)
    const script = counterless.map(({ node, views }) => {
      const tool = `${TOOLS[node.family]}-${variant}`
      const text = printRuleset(iptablesRuleset(node, views))
      return `${tool}-restore <<'END'\n${text}END\n${tool}-restore --noflush <<'END'\n${OTHERS}END\n${tool}-save -c\necho '=='\n`
    })
    const dumps = inNamespace(script.join('')).split('==\n').slice(0, -1)
    const results = dumps.map((text, index) => {
      const { title, node, views } = cases[index]!
      const [dump, ...more] = recognise('dump', text)
      expect([dump?.kind, dump?.family, more], title).toEqual(['iptables', node.family, []])
      return { title, ...compareIptables(node, views, readRuleset(dump!, 'iptables')) }
    })
    expect(results).toEqual(cases.map(({ title, node }) => ({ title, family: node.family, differences: [], notes: [] })))
  })
})
