import type { TableName } from '../nft/print.ts'
import { elementCommands, generations, touches } from './nft/events.ts'
import type { Monitor } from './nft/monitor.ts'

/** A transaction that is larger is read back: by then nft's listing costs less than its monitor. */
const MOST_COMMANDS = 2000
/** How long the kernel's account of a transaction may take, in milliseconds. It is there before nft ends. */
const PATIENCE_MS = 500

/**
 * What the kernel itself told of our tables since before they were read. When there was one transaction, and it changed exactly the elements that were asked for, then
 * the tables hold what was read, with those changes: nothing that a second read, which costs as much as the first, could add.
 */
export class Witness {
  readonly #monitor: Monitor
  readonly #tables: readonly TableName[]

  constructor(monitor: Monitor, tables: readonly TableName[]) {
    this.#monitor = monitor
    this.#tables = tables
  }

  /** Whether anybody changed our tables so far. */
  get sawChange(): boolean {
    return this.#changes().length > 0
  }

  /** Whether a script can be vouched for. If not, it is closed: there is no use in hearing of every element. */
  accepts(script: string): boolean {
    const lines = script.split('\n', MOST_COMMANDS + 1)
    const accepted = lines.length <= MOST_COMMANDS && lines.every(line => line === '' || /^(?:add|delete) element /.test(line))
    if (!accepted) this.close()
    return accepted
  }

  /** After the run: whether the kernel did what the script says, and nobody did anything else. */
  async confirms(script: string): Promise<boolean> {
    const deadline = Date.now() + PATIENCE_MS
    while (!this.sawChange && Date.now() < deadline) await this.#monitor.more(deadline - Date.now())
    const [change, ...others] = this.#changes()
    if (change === undefined || others.length > 0) return false
    const asked = { pid: 0, lines: script.split('\n') }
    return this.#tables.every(table => {
      const [done, wanted] = [elementCommands(change, table), elementCommands(asked, table)]
      return (
        done !== undefined && wanted !== undefined && done.length === wanted.length && done.every((line, index) => line === wanted[index])
      )
    })
  }

  close(): void {
    this.#monitor.close()
  }

  #changes() {
    return generations(this.#monitor.text()).filter(generation => touches(generation, this.#tables))
  }
}
