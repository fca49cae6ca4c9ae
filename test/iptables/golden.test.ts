import { describe, expect, test } from 'vitest'
import { renderIptables } from '../../src/iptables/index.ts'
import { nodeContexts } from '../../src/model/node.ts'
import { viewsOf } from '../../src/model/views.ts'
import { expected, GOLDEN_CASES } from '../support/golden.ts'
import { comparable } from './comparable.ts'

describe.each(GOLDEN_CASES)('$name', golden => {
  test.each([...golden.snapshots.keys()])('step %i is what kube-proxy 1.36 makes', step => {
    const snapshot = golden.snapshots[step]
    if (snapshot === undefined) throw new Error('no such step')
    const report = (): void => undefined
    const { configuration, host } = golden
    const contexts = nodeContexts({ snapshot, configuration, host, nodeName: undefined, report })
    expect(contexts.map(({ family }) => family)).toEqual(host.families.map(family => family.toLowerCase()))
    for (const context of contexts) {
      const text = renderIptables(context, viewsOf(snapshot, context, report))
      expect(comparable(text)).toEqual(comparable(expected(golden, `iptables.${context.family}.${step}.save`) ?? ''))
    }
  })
})
