import { describe, expect, test } from 'vitest'
import { lacking } from '../../lab/lacking.ts'
import { Namespace } from '../../lab/namespace.ts'
import { kubenft } from '../support/command.ts'
import { GOLDEN_CASES } from '../support/golden.ts'

/** Only root enters a namespace that another process made. */
const reason = process.getuid?.() === 0 ? (process.env['CI'] === undefined ? lacking() : undefined) : 'needs root'

describe.skipIf(reason !== undefined)(`kubenft preflight --netns${reason === undefined ? '' : ` (${reason})`}`, () => {
  test('looks at the namespace, not at the host; text and JSON; exit codes', async () => {
    const host = await Namespace.start('host')
    try {
      const netns = ['--netns', `/proc/${host.pid}/ns/net`]
      await host.call('sysctl', [['net.ipv4.ip_forward', '0']])
      const fit = await kubenft(['preflight', ...netns, '--family', 'ipv4', '-o', 'json'])
      expect(fit.code).toBe(0)
      const result = JSON.parse(fit.stdout)
      expect(result).toMatchObject({ apiVersion: 'kubenft/v1', kind: 'PreflightResult', fit: true })
      expect(result.findings).toContainEqual(expect.objectContaining({ id: 'sysctl-ip-forward', severity: 'warning' }))
      expect((await kubenft(['preflight', ...netns, '--family', 'ipv4', '--strict'])).code).toBe(2)

      await host.must(['nft', 'add table ip kube-proxy'])
      const refused = await kubenft(['preflight', ...netns])
      expect(refused.code).toBe(2)
      expect(refused.stdout).toMatch(/^error: there are nft tables of kube-proxy: ip kube-proxy\n {4}It would .*\n {4}Stop kube-proxy/m)
      expect((await kubenft(['preflight', ...netns, '--alongside'])).code).toBe(0)
    } finally {
      await host.end()
    }
  })

  test('with a snapshot, looks only for what its rules need', async () => {
    const host = await Namespace.start('host')
    try {
      const { folder } = GOLDEN_CASES[0]!
      const args = ['-f', `${folder}/snapshot-0.yaml`, '--config', `${folder}/kube-proxy.yaml`, '--host', `${folder}/node.json`]
      const { code, stdout } = await kubenft(['preflight', ...args, '--netns', `/proc/${host.pid}/ns/net`])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^ok: the kernel has nf-tables, .*dnat-map/m)
    } finally {
      await host.end()
    }
  })
})

test('a namespace that is not there', async () => {
  const { code, stdout } = await kubenft(['preflight', '--netns', 'no-such-namespace'])
  expect(code).toBe(2)
  expect(stdout).toContain('the network namespace cannot be entered')
})

test('a snapshot that is not there', async () => {
  const { code, stdout, stderr } = await kubenft(['preflight', '-f', 'no-such-file.yaml'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('no-such-file.yaml')
})
