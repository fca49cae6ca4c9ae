import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../src/apply/contents.ts'
import { type Metadata, metadataCommands, splitMetadata } from '../../src/apply/metadata.ts'
import { parseComplaints } from '../../src/apply/nft/failure.ts'
import { Nft } from '../../src/apply/nft/nft.ts'
import { systemNft } from '../../src/apply/nft/program.ts'
import { deferDeletions } from '../../src/apply/old-kernel.ts'
import { play } from '../../src/apply/play.ts'
import type { Operation } from '../../src/delta/operation.ts'
import type { TableContents } from '../../src/nft/contents.ts'
import { parseScript } from '../../src/nft/parse.ts'
import { printScript } from '../../src/nft/print.ts'

const TABLE = { family: 'ipv4', table: 'kubenft' } as const

function contents(script: string): TableContents {
  const found = play(parseScript(script).commands, undefined)
  if (found === undefined) throw new Error('no table')
  return found
}

function operations(script: string): Operation[] {
  return parseScript(script).commands.map(command => ({ ...command, origins: ['node'] }))
}

const LIVE = contents(`add table ip kubenft
add chain ip kubenft services
add chain ip kubenft tcp-2
add chain ip kubenft tcp-3
add chain ip kubenft unused
add map ip kubenft service-ips { type ipv4_addr . inet_proto . inet_service : verdict ; }
add rule ip kubenft services jump tcp-2
add element ip kubenft service-ips { 172.30.0.1 . tcp . 80 : goto tcp-3 }
`)

describe('chains that an old kernel cannot delete at once', () => {
  const script = ['tcp-2', 'tcp-3', 'unused']
    .flatMap(name => [`flush chain ip kubenft ${name}\n`, `delete chain ip kubenft ${name}\n`])
    .join('')

  test.each(['5.13.0', '5.15.0-91-generic', '6.1.55+rpt-rpi-v8'])('%s: what something leads to is only flushed', kernel => {
    const { operations: now, chains } = deferDeletions(operations(script), LIVE, kernel)
    expect([...chains]).toEqual(['tcp-2', 'tcp-3'])
    expect(printScript(now, TABLE)).toBe(
      'flush chain ip kubenft tcp-2\nflush chain ip kubenft tcp-3\nflush chain ip kubenft unused\ndelete chain ip kubenft unused\n',
    )
  })

  test.each(['6.2.0', '6.18.44', '7.0.1', '10.1'])('%s: all are deleted', kernel => {
    const { operations: now, chains } = deferDeletions(operations(script), LIVE, kernel)
    expect(now).toHaveLength(6)
    expect(chains.size).toBe(0)
  })

  test('the next transaction deletes them: nothing leads to them any more', () => {
    const after = play(
      operations('flush chain ip kubenft services\ndelete element ip kubenft service-ips { 172.30.0.1 . tcp . 80 }\n'),
      LIVE,
    )
    expect(deferDeletions(operations(script), after, '5.13.0').chains.size).toBe(0)
  })
})

describe('metadata', () => {
  const facts: Metadata = {
    applied: '2026-01-02T03:04:05Z',
    snapshot: '0123456789abcdef',
    files: 'cluster.yaml',
    layout: 'maps',
    node: 'node-a',
    version: '1.2.3',
    contents: 'ipv4:0123456789abcdef,ipv6:0123456789abcdef',
  }
  const with_ = (metadata: Metadata, live = LIVE): TableContents => play(metadataCommands(metadata, splitMetadata(live).metadata), live)!

  test('is read back, and is no part of what the table holds', () => {
    const { contents: rest, metadata } = splitMetadata(with_(facts))
    expect(metadata).toEqual(facts)
    expect(fingerprint(rest)).toBe(fingerprint(LIVE))
  })

  test('only facts that changed are replaced', () => {
    const next = { ...facts, applied: '2026-01-02T03:04:06Z' }
    const commands = metadataCommands(next, splitMetadata(with_(facts)).metadata)
    expect(commands.map(({ verb, object }) => `${verb} ${object.kind}`)).toEqual(['delete element', 'add element'])
    expect(splitMetadata(with_(next, with_(facts))).metadata).toEqual(next)
    expect(metadataCommands(facts, facts)).toEqual([])
  })

  test('that is incomplete is replaced as a whole', () => {
    const broken = play(parseScript('delete element ip kubenft kubenft-applied { 0x00000002 }\n').commands, with_(facts))!
    expect(splitMetadata(broken).metadata?.snapshot).toBeUndefined()
    expect(splitMetadata(with_(facts, broken)).metadata).toEqual(facts)
  })

  test('has nothing in it that nft cannot take, however long the names are', () => {
    const hostile = { ...facts, node: `${'n'.repeat(253)}`, files: '"; flush ruleset\n\u202e; #' }
    for (const { object } of metadataCommands(hostile, undefined)) {
      if (object.kind !== 'element') continue
      expect(object.comment?.length).toBeLessThanOrEqual(127)
      expect(object.comment).toMatch(/^[ !#-~]*$/)
    }
  })
})

describe('what nft says', () => {
  test('is read as a line and a message', () => {
    const stderr = `/dev/stdin:3:19-20: Error: Could not process rule: Device or resource busy
delete chain ip t c2
                  ^^
/dev/stdin:2:5-5: Error: syntax error, unexpected x
Error: cache initialization failed: Operation not permitted
`
    expect(parseComplaints(stderr)).toEqual([
      { line: 3, message: 'Device or resource busy' },
      { line: 2, message: 'syntax error, unexpected x' },
      { message: 'cache initialization failed: Operation not permitted' },
    ])
    expect(parseComplaints('Warning: something\n')).toEqual([])
  })

  const listing = (stderr: string, code = 1) => new Nft(async () => ({ how: 'exited', code, stdout: '', stderr })).list(TABLE)
  test.each([
    ['Error: No such file or directory\nlist table ip kubenft\n              ^^^^^^^\n'],
    ['Error: No such file or directory; did you mean table ‘kubenft’ in family ip6?\nlist table ip kubenft\n'],
  ])('is taken for "absent" when it names the table: %j', async stderr => {
    expect(await listing(stderr)).toEqual({ ok: true, value: undefined })
  })
  test.each([
    ['Error: No such file or directory\nlist table ip6 kubenft\n'],
    ['nsenter: cannot open /run/netns/x: No such file or directory\n'],
    ['Error: Could not process rule: No such file or directory\n'],
    [''],
  ])('is never taken for "absent" otherwise: %j', async stderr => {
    expect(await listing(stderr)).toMatchObject({ ok: false, failure: { why: 'refused' } })
    expect(await listing(stderr, 0)).toEqual({ ok: false, failure: { why: 'silent' } })
  })

  test('every way in which a program can end is told apart', async () => {
    const shell = (script: string) => systemNft({ program: 'sh' })(['-c', script], 'input')
    expect(await shell('cat; echo bad >&2; exit 3')).toEqual({ how: 'exited', code: 3, stdout: 'input', stderr: 'bad\n' })
    expect(await shell('kill -SEGV $$')).toMatchObject({ how: 'killed', signal: 'SIGSEGV' })
    expect(await systemNft({ program: '/nowhere/nft' })([])).toEqual({ how: 'not started', reason: 'spawn /nowhere/nft ENOENT' })
  })
})
