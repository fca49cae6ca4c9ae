import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommandResult } from '../../lab/protocol.ts'
import { kubenft as inThisProcess, list } from '../support/command.ts'
import { node, service, slice } from '../support/objects.ts'
import { listing, missing, Namespace } from './machine.ts'

const KUBENFT = [process.execPath, '--import', 'tsx', fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))]

/** Objects with what files have and the model does not. */
function file(...endpoints: readonly string[]): string {
  const versions = { Node: 'v1', Service: 'v1', EndpointSlice: 'discovery.k8s.io/v1' }
  const objects = [node(), service(), slice({ endpoints })]
  return list(...objects.map(object => ({ apiVersion: versions[object.kind as keyof typeof versions], ...object })))
}

/** An nft that tells when it is about to run a transaction, and then waits for a sign, for at most 20 s. */
const SLOW = `#!/bin/sh
folder=$(dirname "$0")
if [ "$1" = -f ]; then
  touch "$folder/running"
  for _ in $(seq 1000); do [ -e "$folder/go" ] && break; sleep 0.02; done
fi
PATH=\${PATH#*:} exec nft "$@"
`

describe.skipIf(missing !== undefined)(`kubenft apply, status and delete${missing === undefined ? '' : ` (${missing})`}`, () => {
  let machine: Namespace
  let folder: string
  let before: string
  let after: string
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kubenft-test-'))
    before = path.join(folder, 'before.json')
    after = path.join(folder, 'after.json')
    writeFileSync(before, file('10.1.0.1', '10.1.0.2'))
    writeFileSync(after, file('10.1.0.1', '10.1.0.3', '10.1.0.4'))
    writeFileSync(path.join(folder, 'nft'), SLOW)
    chmodSync(path.join(folder, 'nft'), 0o755)
    machine = await Namespace.start('machine')
    await machine.must(['ip', 'link', 'set', 'lo', 'up'])
    await machine.call('sysctl', [
      ['net.ipv4.ip_forward', '1'],
      ['net.ipv6.conf.all.forwarding', '1'],
    ])
  })
  afterAll(async () => {
    await machine?.end()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => machine.must(['nft', 'flush', 'ruleset']))

  /** As root in this process, which is faster; else in the machine's user namespace. */
  const ask = async (...args: readonly string[]): Promise<CommandResult> =>
    process.getuid?.() === 0 ? inThisProcess([...args, '--netns', `/proc/${machine.pid}/ns/net`]) : machine.run([...KUBENFT, ...args])
  const kubenft = (...args: readonly string[]): Promise<CommandResult> => ask(...args, '--lock-file', path.join(folder, 'lock'))
  /** The command line of an apply with the slow nft, as the leader of a process group. */
  const applying = (snapshot: string): string =>
    `env PATH=${folder}:$PATH setsid ${KUBENFT.join(' ')} apply -f ${snapshot} --yes --lock-file ${folder}/lock`
  /** Starts one, waits until nft runs, then does what is said, in which `touch go` lets nft go on; $pid is the process. */
  const whileItRuns = (snapshot: string, then: string): Promise<CommandResult> =>
    machine.run([
      'sh',
      '-c',
      `rm -f ${folder}/running ${folder}/go; ${applying(snapshot)} 2>&1 & pid=$!; while [ ! -e ${folder}/running ] && kill -0 $pid; do sleep 0.02; done; ${then}`,
    ])

  test('the way of a table: absent, in sync, drifted, repaired, deleted', async () => {
    const none = await ask('status')
    expect({ code: none.code, stdout: none.stdout }).toEqual({ code: 1, stdout: 'no table kubenft: absent\n' })
    expect((await ask('status', '-f', before)).code).toBe(1)

    const refused = await kubenft('apply', '-f', before)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('Say --yes')
    expect(await listing(machine)).toBe('')

    const applied = await kubenft('apply', '-f', before, '--yes', '--explain')
    expect(applied.stderr).toContain('# Service shop/web: added with 2 endpoints')
    expect(applied.stdout).toMatch(/^applied \d+ operations, read back and compared\n.*total \d+ ms\n$/)
    expect(applied.code).toBe(0)
    const first = await listing(machine)
    expect(await kubenft('apply', '-f', before, '--yes')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing to do: /) })
    expect(await listing(machine)).toBe(first)

    const status = await ask('status')
    expect(status.stdout).toMatch(
      /^table ip kubenft: in sync: as the last apply left it\n {2}applied \d{4}-\S+Z, from before\.json \(digest [0-9a-f]{16}\), for node node-a, layout maps, by kubenft \S+\n$/,
    )
    expect(status.code).toBe(0)
    expect((await ask('status', '-f', before)).code).toBe(0)
    expect(await ask('status', '-f', after)).toMatchObject({ code: 1, stdout: expect.stringContaining('differs from the snapshot') })

    await machine.must(['nft', 'flush', 'chain', 'ip', 'kubenft', 'services'])
    expect(await ask('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('drifted') })
    const json = await kubenft('apply', '-f', before, '--yes', '-o', 'json')
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'Applied', outcome: 'applied', tries: 1, tables: [{ family: 'ipv4' }] })
    expect(
      JSON.parse(json.stdout)
        .phases.map(({ name }: { name: string }) => name)
        .join(', '),
    ).toBe('lock, watch, snapshot, read, plan, preflight, ask, check, run, read back, compare, conntrack')

    await machine.must(['nft', 'add', 'table', 'ip', 'other'])
    expect((await kubenft('delete')).code).toBe(2)
    expect(await kubenft('delete', '--yes')).toMatchObject({ code: 0, stdout: 'deleted 1 tables\n' })
    expect(await listing(machine)).toBe('table ip other {\n}\n')
    expect(await kubenft('delete', '--yes')).toMatchObject({ code: 0, stdout: 'nothing to do: there is no table kubenft\n' })
  })

  test('delete does not take a table of kube-proxy’s name that apply did not make', async () => {
    await machine.must(['nft', 'add', 'table', 'ip', 'kube-proxy'])
    expect(await kubenft('delete', '--yes', '--layout', 'kube-proxy-1.36')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was not made by kubenft'),
    })
    expect(await listing(machine)).toBe('table ip kube-proxy {\n}\n')
  })

  test('dry runs print the script and change nothing', async () => {
    await kubenft('apply', '-f', before, '--yes')
    const old = await listing(machine)
    for (const how of ['client', 'server']) {
      const { code, stdout } = await kubenft('apply', '-f', after, `--dry-run=${how}`)
      expect(code).toBe(0)
      expect(stdout).toContain('add element ip kubenft tcp-endpoints { 172.30.0.41 . 80 . 2 : 10.1.0.4 . 8080 }\n')
    }
    expect(await listing(machine)).toBe(old)
  })

  test('a saved plan is done exactly, or refused when the table is another by then', async () => {
    await kubenft('apply', '-f', before, '--yes')
    const plan = path.join(folder, 'plan.json')
    expect((await kubenft('apply', '-f', after, '--save-plan', plan)).code).toBe(0)
    const { tables } = JSON.parse(readFileSync(plan, 'utf8'))
    expect((await kubenft('apply', plan, '--yes', '--explain')).stderr).toContain(tables[0].commands[0].command)
    expect((await ask('status', '-f', after)).code).toBe(0)
    expect((await ask('status')).code).toBe(0)
    const old = await listing(machine)
    expect(await kubenft('apply', plan, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('the plan is stale') })
    expect(await listing(machine)).toBe(old)
  })

  test('nft is missing, or too old: preflight says so', async () => {
    const bare = path.join(folder, 'bare')
    await machine.must(['sh', '-c', `mkdir ${bare}; ln -sf /usr/bin/* /usr/sbin/* ${bare}; rm -f ${bare}/nft`])
    const command = (programs: string): string[] => [
      'env',
      `PATH=${programs}`,
      ...KUBENFT,
      'apply',
      '-f',
      before,
      '--yes',
      '--lock-file',
      `${folder}/lock`,
    ]
    expect(await machine.run(command(bare))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error: the program nft is missing'),
    })
    const old = path.join(folder, 'old')
    await machine.must([
      'sh',
      '-c',
      `mkdir -p ${old}; printf '#!/bin/sh\\necho "nftables v0.9.3 (Topsy)"\\n' > ${old}/nft; chmod 755 ${old}/nft`,
    ])
    const tooOld = await machine.run(command(`${old}:${process.env['PATH']}`))
    expect(tooOld).toMatchObject({ code: 2, stderr: expect.stringContaining('0.9.3') })
    expect(await listing(machine)).toBe('')
  })

  test('a lock that does not fit on the disk', async () => {
    const { code, stdout } = await machine.run([
      'unshare',
      '--mount',
      'sh',
      '-c',
      `mkdir ${folder}/full && mount -t tmpfs -o size=4k tmpfs ${folder}/full && head -c 4096 /dev/zero > ${folder}/full/x
       ${KUBENFT.join(' ')} apply -f ${before} --yes --lock-file ${folder}/full/lock 2>&1; echo "exit $?"; ls ${folder}/full`,
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('ENOSPC')
    expect(stdout).toMatch(/exit 2\nx\n$/)
    expect(await listing(machine)).toBe('')
  })

  test('two applies at once: the second is told who is at work', async () => {
    const { stdout } = await whileItRuns(
      before,
      `${applying(after)} 2>&1; echo "second $?"; touch ${folder}/go; wait $pid; echo "first $?"`,
    )
    expect(stdout).toMatch(/process \d+ is applying rules to this network namespace/)
    expect(stdout).toContain('second 2')
    expect(stdout).toContain('first 0')
    expect(existsSync(`${folder}/lock`)).toBe(false)
  })

  test.each([
    ['INT', 130],
    ['TERM', 143],
  ])('SIG%s to the whole process group while nft runs: the transaction is carried out', async (signal, code) => {
    await kubenft('apply', '-f', before, '--yes')
    const { stdout } = await whileItRuns(after, `env kill -${signal} -- -$pid; sleep 0.2; touch ${folder}/go; wait $pid; echo "exit $?"`)
    expect(stdout).toContain('The new rules are in place')
    expect(stdout).toContain(`exit ${code}`)
    expect((await ask('status', '-f', after)).code).toBe(0)
    expect(existsSync(`${folder}/lock`)).toBe(false)
  })

  test('SIGKILL while nft runs: nft has the whole transaction, and the lock of the dead is taken over', async () => {
    await kubenft('apply', '-f', before, '--yes')
    await whileItRuns(after, `env kill -KILL -- -$pid; wait $pid; touch ${folder}/go; sleep 0.5`)
    expect(existsSync(`${folder}/lock`)).toBe(true)
    expect((await ask('status', '-f', after)).code).toBe(0)
    expect(await kubenft('apply', '-f', after, '--yes')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing to do/) })
    expect(existsSync(`${folder}/lock`)).toBe(false)
  })
})
