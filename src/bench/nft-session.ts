import type { Namespace } from './namespace.ts'
import { ToolError } from './tool-error.ts'

/**
 * A resident `nft -i` in a namespace: takes transactions one after another without a new process for each. A process that deletes something waits
 * when it ends until no CPU can see the old rules any more (an RCU grace period, some 10 ms); a resident one goes on at once.
 */
export class NftSession {
  readonly #namespace: Namespace
  #heard = ''
  #number = 0
  #ended = false
  #wake: () => void = () => {}

  private constructor(namespace: Namespace) {
    this.#namespace = namespace
    namespace.channel.setEncoding('utf8')
    namespace.channel.on('data', (text: string) => {
      this.#heard += text
      this.#wake()
    })
    namespace.channel.on('close', () => {
      this.#ended = true
      this.#wake()
    })
    namespace.channel.on('error', () => {})
  }

  static async start(namespace: Namespace): Promise<NftSession> {
    const session = new NftSession(namespace)
    await namespace.startResident('nft -i')
    return session
  }

  /**
   * Applies a script as one transaction. After it comes a word that nft does not know: whatever nft says before it complains of that word is an error
   * of the transaction. @throws ToolError with what nft said.
   */
  async apply(script: string, timeoutMs: number): Promise<void> {
    const marker = `end_of_transaction_${this.#number++}`
    const complaint = new RegExp(`Error: [^\\n]*\\n${marker}\\n *\\^+\\n`)
    this.#heard = ''
    this.#namespace.channel.write(`${script.trimEnd().replaceAll('\n', ' ; ')}\n${marker}\n`)
    const said = await this.#until(complaint, timeoutMs)
    if (said !== '') throw new ToolError(`nft refused a transaction: ${said}`)
  }

  async #until(pattern: RegExp, timeoutMs: number): Promise<string> {
    const timeout = Date.now() + timeoutMs
    for (;;) {
      const found = pattern.exec(this.#heard)
      if (found !== null) return this.#heard.slice(0, found.index).trim()
      if (this.#ended) throw new ToolError(`nft has ended${this.#heard === '' ? '' : `: ${this.#heard.trim()}`}`)
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new ToolError('nft did not answer in time')), Math.max(0, timeout - Date.now()))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}
