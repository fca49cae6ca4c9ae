import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { type NftProgramOptions, nftCommand } from './program.ts'

/** What the kernel tells of every change of the ruleset, from the moment that it was opened. */
export interface Monitor {
  /** Everything that was told so far. */
  readonly text: () => string
  /** Waits for more, or for so many milliseconds. */
  readonly more: (timeoutMs: number) => Promise<void>
  readonly close: () => void
}

/** Opens a monitor; undefined when that is not possible, which is no reason not to go on. */
export type OpenMonitor = () => Promise<Monitor | undefined>

/** nft 1.0.6 reads the whole ruleset before it listens: 1 s with 44,000 services. */
const PATIENCE_MS = 20_000

/** `nft monitor` of this machine. It ends when it is closed, or with this process; when that is killed, at the kernel's next change. */
export function systemMonitor(options: NftProgramOptions = {}): OpenMonitor {
  return async () => {
    const [command, ...args] = nftCommand(options)
    const child = execa(command, [...args, 'monitor'], {
      stdin: 'ignore',
      stderr: 'ignore',
      buffer: false,
      reject: false,
      env: { LC_ALL: 'C' },
    })
    let text = ''
    let ended = false
    let wake = (): void => {}
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      wake()
    })
    void child.then(() => {
      ended = true
      wake()
    })
    const started = Date.now()
    while (!ended && !isListening(child.pid)) {
      if (Date.now() - started > PATIENCE_MS) child.kill()
      await sleep(2)
    }
    if (ended) return undefined
    child.unref()
    return {
      text: () => text,
      more: timeoutMs =>
        new Promise(resolve => {
          if (ended) return resolve()
          const timer = setTimeout(resolve, timeoutMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        }),
      close: () => child.kill(),
    }
  }
}

/** NETLINK_NETFILTER */
const PROTOCOL = '12'

/** Whether a process has a netlink socket that is subscribed to something. */
function isListening(pid: number | undefined): boolean {
  try {
    const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map(fd => readlinkSync(`/proc/${pid}/fd/${fd}`)))
    return readFileSync(`/proc/${pid}/net/netlink`, 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      .some(([, protocol, , groups, ...rest]) => protocol === PROTOCOL && groups !== '00000000' && sockets.has(`socket:[${rest.at(-1)}]`))
  } catch {
    return false
  }
}
