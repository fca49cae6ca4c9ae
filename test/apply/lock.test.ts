import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { lockFileOf, takeLock } from '../../src/apply/lock.ts'
import { folderWith } from '../support/command.ts'

describe('the lock', () => {
  const fresh = (): string => path.join(folderWith({}), 'lock')
  const holder = (pid: number, startTime: string): string => JSON.stringify({ pid, startTime })
  /** A process that has ended. */
  const gone = spawnSync('true').pid

  test('is held by one at a time, and leaves nothing behind', () => {
    const file = fresh()
    const release = takeLock(file)
    expect(() => takeLock(file)).toThrow(`process ${process.pid} is applying rules`)
    release()
    expect(readdirSync(path.dirname(file))).toEqual([])
    takeLock(file)()
  })

  test.each([
    ['whose process is gone', holder(gone, '1')],
    ['whose process number another process has by now', holder(process.pid, '1')],
    ['that is not ours', 'x'],
  ])('%s is taken over', (_, content) => {
    const file = fresh()
    writeFileSync(file, content)
    const release = takeLock(file)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid })
    release()
    expect(readdirSync(path.dirname(file))).toEqual([])
  })

  test('of a living process is left alone, also when releasing', () => {
    const file = fresh()
    const release = takeLock(file)
    const other = holder(
      1,
      readFileSync('/proc/1/stat', 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19]!,
    )
    writeFileSync(file, other)
    expect(() => takeLock(file)).toThrow('process 1 is applying rules')
    release()
    expect(readFileSync(file, 'utf8')).toBe(other)
  })

  test('that cannot be written is an error', () => {
    expect(() => takeLock('/nowhere/lock')).toThrow(/cannot be written: ENOENT.*\n.*--lock-file/)
    expect(existsSync('/nowhere')).toBe(false)
  })

  test('is one for a network namespace, by whatever name it is reached', () => {
    expect(lockFileOf('/proc/self/ns/net')).toBe(lockFileOf(undefined))
    expect(() => lockFileOf('no-such-namespace')).toThrow('there is no network namespace no-such-namespace')
  })
})
