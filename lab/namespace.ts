import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { CommandResult, OperationName, Operations, Response } from './protocol.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const AGENT = fileURLToPath(new URL('agent/main.ts', import.meta.url))
/** How long an agent may take to go when asked, in milliseconds. */
const PATIENCE = 2000

interface Waiting {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

/**
 * A network namespace without a name, with one process in it, the agent, which works on request. The namespace and its interfaces are gone when
 * the agent is, and the agent goes when this process does, whatever ends it.
 */
export class Namespace {
  readonly name: string
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<void>
  #stderr = ''
  #requests = 0

  private constructor(name: string, command: readonly string[]) {
    this.name = name
    const [program = '', ...args] = [...command, process.execPath, '--import', 'tsx', AGENT]
    // A process group of its own: an interrupt at the terminal is for us, we then end the agents in order.
    this.#child = spawn(program, args, { cwd: ROOT, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr += chunk
    })
    this.#child.stdin.on('error', () => {})
    createInterface({ input: this.#child.stdout }).on('line', line => this.#answered(JSON.parse(line) as Response))
    this.#ended = new Promise(resolve => {
      const ended = (reason: string): void => {
        for (const { reject } of this.#waiting.values()) reject(new Error(`namespace ${name}: ${reason} ${this.#stderr}`.trim()))
        this.#waiting.clear()
        resolve()
      }
      this.#child.on('error', error => ended(error.message))
      this.#child.on('close', code => ended(`the agent ended (${code})`))
    })
  }

  /**
   * Makes a namespace. Without root rights the first one is in a user namespace of its own; later ones join the user namespace of `owner`,
   * so that interfaces can be moved between them.
   * @throws when the kernel or the system does not allow it
   */
  static async start(name: string, owner?: Namespace): Promise<Namespace> {
    const namespace = new Namespace(name, enter(owner))
    await new Promise<never>((resolve, reject) => namespace.#waiting.set(0, { resolve, reject }))
    return namespace
  }

  /** Id of the agent's process, which `ip link … netns` and `nsenter` take for the namespace. */
  get pid(): number {
    return this.#child.pid as number
  }

  /** @throws when the agent reports an error, or is not there any more */
  call<Name extends OperationName>(operation: Name, request: Operations[Name]['request']): Promise<Operations[Name]['result']> {
    return new Promise((resolve, reject) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        reject(new Error(`namespace ${this.name}: the agent is gone`))
        return
      }
      const id = ++this.#requests
      this.#waiting.set(id, { resolve, reject })
      this.#child.stdin.write(`${JSON.stringify({ id, operation, request })}\n`)
    })
  }

  /** Runs a program in the namespace; its exit code is the caller's matter. */
  run(command: readonly string[], input = ''): Promise<CommandResult> {
    return this.call('run', { command, input })
  }

  /** @throws with what the program wrote to standard error, unless it exits with 0 */
  async must(command: readonly string[], input = ''): Promise<string> {
    const { code, stdout, stderr } = await this.run(command, input)
    if (code !== 0) throw new Error(`namespace ${this.name}: ${command.join(' ')} failed (${code}): ${stderr.trim()}`)
    return stdout
  }

  async end(): Promise<void> {
    this.#child.stdin.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE)
    await this.#ended
    clearTimeout(timer)
  }

  #answered(response: Response): void {
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if ('error' in response) waiting?.reject(new Error(`namespace ${this.name}: ${response.error}`))
    else waiting?.resolve(response.result as never)
  }
}

/** The command that starts another in a new network namespace. */
function enter(owner: Namespace | undefined): string[] {
  if (process.getuid?.() === 0) return ['unshare', '--net']
  if (owner === undefined) return ['unshare', '--user', '--map-root-user', '--net']
  return ['nsenter', `--user=/proc/${owner.pid}/ns/user`, '--preserve-credentials', 'unshare', '--net']
}
