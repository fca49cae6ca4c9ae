import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DiagnosticsError } from '../diagnostics.ts'
import { namespacePath } from './nft/program.ts'

/** Who holds a lock. The start time tells a process from a later one with its number; in clock ticks since the machine started. */
interface Holder {
  readonly pid: number
  readonly startTime: string
}

/** The lock of a network namespace, whatever name it is reached by. @throws DiagnosticsError when there is no such namespace. */
export function lockFileOf(netns: string | undefined, folder = '/run/lock'): string {
  const file = netns === undefined ? '/proc/self/ns/net' : namespacePath(netns)
  try {
    return path.join(folder, `kubenft-${statSync(file).ino}.lock`)
  } catch (error) {
    const summary = netns === undefined ? 'this system has no network namespaces' : `there is no network namespace ${netns}`
    throw problem(summary, `${(error as Error).message}. List them with: ip netns list`)
  }
}

/**
 * Keeps two applies to one network namespace apart. A lock whose process is gone is taken over.
 * @returns what releases it
 * @throws DiagnosticsError when another process holds it, or it cannot be written
 */
export function takeLock(file: string): () => void {
  const own = `${file}.${process.pid}`
  const me: Holder = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' }
  try {
    writeFileSync(own, JSON.stringify(me), { mode: 0o644 })
    // Linked when its content is complete: like O_EXCL, but nobody ever sees an empty lock.
    link(own, file)
  } catch (error) {
    if (error instanceof DiagnosticsError) throw error
    throw problem(
      `the lock ${file} cannot be written: ${(error as Error).message}`,
      'Nothing was changed. Name another place with --lock-file FILE.',
    )
  } finally {
    rmSync(own, { force: true })
  }
  return () => {
    if (holderOf(file)?.pid === process.pid) rmSync(file, { force: true })
  }
}

function link(own: string, file: string): void {
  for (let attempt = 0; ; attempt++) {
    try {
      linkSync(own, file)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = holderOf(file)
    if ((holder !== undefined && isAlive(holder)) || attempt > 0) {
      const who = holder === undefined ? 'another process' : `process ${holder.pid}`
      throw problem(`${who} is applying rules to this network namespace`, `It holds the lock ${file}. Wait for it to end, then try again.`)
    }
    setAside(file, `${own}.stale`, holder)
  }
}

/** Takes a dead process's lock away; if another process was faster and the lock is its own by now, that is given back. */
function setAside(file: string, aside: string, dead: Holder | undefined): void {
  try {
    renameSync(file, aside)
    if (holderOf(aside)?.pid !== dead?.pid) linkSync(aside, file)
  } catch {
    // Gone, or taken again: the next attempt to link tells.
  } finally {
    rmSync(aside, { force: true })
  }
}

function holderOf(file: string): Holder | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    return typeof pid === 'number' && typeof startTime === 'string' ? { pid, startTime } : undefined
  } catch {
    return undefined
  }
}

function isAlive({ pid, startTime }: Holder): boolean {
  return startTimeOf(pid) === startTime
}

/** The 22nd field of /proc/PID/stat; the second, the program's name, may hold spaces and parentheses. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

function problem(summary: string, detail: string): DiagnosticsError {
  return new DiagnosticsError([{ severity: 'error', summary, detail }])
}
