import type { ChainObject, Command, ElementObject, MapObject, SetObject } from '../../src/nft/objects.ts'

interface Container {
  readonly declaration: string
  readonly elements: Map<string, string>
}

/**
 * A table as strict as the kernel: what is there cannot be added with other data, what is not there cannot be deleted, nothing that is referred to
 * can be deleted, and nothing can be referred to that is not there yet. It takes each transaction as a whole.
 */
export class MemoryTable {
  readonly #chains = new Map<string, { readonly declaration: string; rules: string[] }>()
  readonly #containers = new Map<string, Container>()
  #exists = false

  /** @throws when the kernel would refuse one of the commands */
  apply(commands: readonly Command[]): void {
    for (const command of commands) {
      const { verb, object } = command
      if (object.kind === 'table') {
        if ((verb === 'add') === this.#exists) throw new Error(`${verb} table: it is ${this.#exists ? '' : 'not '}there`)
        this.#exists = verb === 'add'
        this.#chains.clear()
        this.#containers.clear()
      } else if (!this.#exists) throw new Error('No such file or directory: the table')
      else if (object.kind === 'chain') this.#chain(verb, object)
      else if (object.kind === 'rule') {
        this.#refer(object.text)
        found(this.#chains, object.chain).rules.push(object.text)
      } else if (object.kind === 'element') this.#element(verb, object)
      else this.#container(verb, object)
    }
  }

  /** Everything in it, as sorted lines; with `slots` false, the endpoints of a frontend without their order. */
  lines({ slots = true } = {}): string[] {
    if (!this.#exists) return []
    const lines = [...this.#chains].map(([name, { declaration, rules }]) => JSON.stringify([name, declaration, rules]))
    for (const [name, { declaration, elements }] of this.#containers) {
      lines.push(`${name} ${declaration}`)
      for (const [key, value] of elements)
        lines.push(`${name} ${slots || !name.endsWith('endpoints') ? key : key.replace(/ \. \d+$/, '')} ${value}`)
    }
    return lines.sort()
  }

  #chain(verb: Command['verb'], { name, ...declaration }: ChainObject): void {
    if (verb === 'flush') found(this.#chains, name).rules = []
    else if (verb === 'add') add(this.#chains, name, { declaration: JSON.stringify(declaration), rules: [] })
    else {
      const { rules } = found(this.#chains, name)
      if (rules.length > 0 || this.#texts().some(text => targets(text).includes(name)))
        throw new Error(`Device or resource busy: chain ${name}`)
      this.#chains.delete(name)
    }
  }

  #container(verb: Command['verb'], { name, kind, ...declaration }: SetObject | MapObject): void {
    if (verb === 'add') add(this.#containers, name, { declaration: JSON.stringify([kind, declaration]), elements: new Map() })
    else {
      found(this.#containers, name)
      if (this.#texts().some(text => text.includes(`@${name} `) || text.endsWith(`@${name}`)))
        throw new Error(`Device or resource busy: set ${name}`)
      this.#containers.delete(name)
    }
  }

  #element(verb: Command['verb'], { set, key, value = '', comment = '' }: ElementObject): void {
    const { elements } = found(this.#containers, set)
    if (verb === 'delete') {
      found(elements, key)
      elements.delete(key)
      return
    }
    this.#refer(value)
    add(elements, key, `${value} # ${comment}`)
  }

  #refer(text: string): void {
    for (const chain of targets(text)) found(this.#chains, chain)
    for (const [, set] of text.matchAll(/@([^\s,}]+)/g)) found(this.#containers, set as string)
  }

  /** Everything that can refer to something. */
  *#everyText(): Generator<string> {
    for (const { rules } of this.#chains.values()) yield* rules
    for (const { elements } of this.#containers.values()) yield* elements.values()
  }

  #texts(): string[] {
    return [...this.#everyText()]
  }
}

function targets(text: string): string[] {
  return [...text.matchAll(/\b(?:goto|jump) (\S+)/g)].map(match => match[1] as string)
}

function found<T>(things: ReadonlyMap<string, T>, name: string): T {
  const thing = things.get(name)
  if (thing === undefined) throw new Error(`No such file or directory: ${name}`)
  return thing
}

function add<T>(things: Map<string, T>, name: string, thing: T): void {
  if (things.has(name)) throw new Error(`File exists: ${name}`)
  things.set(name, thing)
}
