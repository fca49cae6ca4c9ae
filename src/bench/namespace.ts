import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { ToolError } from './tool-error.ts'

/** How one command in a namespace ended. */
export interface Finished {
  /** Exit code, as the shell has it: 128 and more for a signal. */
  readonly code: number
  /** From asking for it to hearing of its end, in milliseconds. */
  readonly wallMs: number
  /** True when it was stopped because its time was up. */
  readonly stopped: boolean
  /** Largest resident set that was seen, in bytes; 0 unless watched. */
  readonly peakBytes: number
  readonly stderr: string
}

export interface RunOptions {
  readonly timeoutMs: number
  /** Whether to look at the memory of the command while it runs, which costs a little. */
  readonly watchMemory?: boolean
}

/** CPU time in milliseconds of all commands that have ended in a namespace. */
export interface CpuTime {
  readonly user: number
  readonly system: number
}

/** Prints its folder, then does what it is told, a line at a time; at the end of its input, or of the process that feeds it, it tidies up. */
const SHELL = `directory=$(mktemp -d "\${TMPDIR:-/tmp}/kubenft-bench.XXXXXX") || exit 1
trap 'rm -rf "$directory"' EXIT
trap 'exit 1' HUP INT TERM
trap '' PIPE
cd "$directory" || exit 1
export XTABLES_LOCKFILE="$directory/xtables.lock"
echo "$directory"
while IFS= read -r line; do eval "$line"; done`

/** How often memory is looked at, in milliseconds. */
const WATCH_INTERVAL = 2

/**
 * A throwaway network namespace with a resident shell in it, which starts commands faster than a large process can. It is gone, with its folder and
 * whatever runs in it, when it is closed or when this process ends in any way. Without root it lives in a user namespace.
 */
export class Namespace {
  /** Where commands run; goes with the namespace. */
  readonly directory: string
  readonly #shell: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #reader: Interface
  readonly #signal: AbortSignal
  #running: number | undefined
  #resident: number | undefined
  readonly #abort = (): void => this.#kill()

  private constructor(shell: ChildProcess, reader: Interface, lines: AsyncIterator<string>, directory: string, signal: AbortSignal) {
    this.#shell = shell
    this.#reader = reader
    this.#lines = lines
    this.#signal = signal
    this.directory = directory
    signal.addEventListener('abort', this.#abort)
  }

  /** @throws ToolError with what `unshare` says when namespaces cannot be made here, and the signal's reason once it is aborted. */
  static async open(signal: AbortSignal): Promise<Namespace> {
    signal.throwIfAborted()
    // A session of its own: an interrupt from the terminal reaches this process alone, which then tidies up in order.
    const shell = spawn('unshare', [...(isRoot() ? [] : ['--user', '--map-root-user']), '--net', 'sh', '-c', SHELL], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
    let stderr = ''
    shell.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    // A shell that is gone is noticed by the end of its output.
    shell.stdin!.on('error', () => {})
    const failed = once(shell, 'error').then(([error]) => {
      throw error
    })
    const reader = createInterface({ input: shell.stdout! })
    const lines = reader[Symbol.asyncIterator]()
    const first = await Promise.race([lines.next(), failed])
    failed.catch(() => {})
    if (first.done === true) throw new ToolError(`no network namespace: ${stderr.trim()}`)
    return new Namespace(shell, reader, lines, first.value, signal)
  }

  /** Whether the kernel lets commands here have what root has, such as larger socket buffers than others. */
  get isPrivileged(): boolean {
    return isRoot()
  }

  /** Bytes to and from the resident command. */
  get channel(): Duplex {
    return this.#shell.stdio[3] as unknown as Duplex
  }

  /** Writes a file into the folder in which commands run. */
  write(name: string, text: string): void {
    writeFileSync(path.join(this.directory, name), text)
  }

  /** What the last command printed. */
  get stdout(): string {
    return this.#read('stdout')
  }

  /** Starts the one command that stays: it reads from `channel` and writes what would go to standard error there. */
  async startResident(command: string): Promise<void> {
    this.#shell.stdin!.write(`${command} <&3 >/dev/null 2>&3 & echo $!; exec 3<&-\n`)
    this.#resident = Number(await this.#line())
  }

  /** Runs one simple shell command and waits for its end. @throws the signal's reason once it is aborted. */
  async run(command: string, { timeoutMs, watchMemory = false }: RunOptions): Promise<Finished> {
    this.#signal.throwIfAborted()
    const start = performance.now()
    this.#shell.stdin!.write(`${command} >stdout 2>stderr 3<&- & echo $!; wait $!; echo $?\n`)
    const pid = Number(await this.#line())
    this.#running = pid
    let stopped = false
    const timer = setTimeout(() => {
      stopped = true
      this.#kill()
    }, timeoutMs)
    const ended = this.#line()
    const peakBytes = watchMemory ? await watchPeak(pid, ended) : 0
    const code = Number(await ended)
    const wallMs = performance.now() - start
    clearTimeout(timer)
    this.#running = undefined
    this.#signal.throwIfAborted()
    return { code, wallMs, stopped, peakBytes, stderr: code === 0 ? '' : this.#read('stderr').trim() }
  }

  /** What the kernel counted so far. It counts in scheduler ticks: good for sums, coarse for one short command. */
  async cpuTime(): Promise<CpuTime> {
    this.#shell.stdin!.write('times\n')
    await this.#line()
    const [user = 0, system = 0] = (await this.#line()).split(' ').map(milliseconds)
    return { user, system }
  }

  /** Ends whatever runs here and waits until shell and folder are gone. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort)
    this.#kill()
    const exit = this.#shell.exitCode === null && this.#shell.signalCode === null ? once(this.#shell, 'exit') : undefined
    this.#shell.stdin!.end()
    this.channel.destroy()
    await exit
    this.#reader.close()
  }

  #read(name: string): string {
    return readFileSync(path.join(this.directory, name), 'utf8')
  }

  #kill(): void {
    for (const pid of [this.#running, this.#resident]) {
      if (pid === undefined) continue
      try {
        process.kill(pid, constants.signals.SIGKILL)
      } catch {
        // It has just ended by itself.
      }
    }
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next()
    if (done === true) {
      this.#signal.throwIfAborted()
      throw new ToolError('the shell in the network namespace has ended')
    }
    return value
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** `0m1.25s`, as the shell's `times` prints it. */
function milliseconds(text: string): number {
  const [minutes = '0', seconds = '0'] = text.replace('s', '').split('m')
  return (Number(minutes) * 60 + Number(seconds)) * 1000
}

/** Looks at a process until a promise settles. What it takes in the last few milliseconds is missed. */
async function watchPeak(pid: number, ended: Promise<unknown>): Promise<number> {
  let running = true
  void ended.then(
    () => {
      running = false
    },
    () => {
      running = false
    },
  )
  let peak = 0
  while (running) {
    peak = Math.max(peak, peakOf(pid))
    await delay(WATCH_INTERVAL)
  }
  return peak
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
