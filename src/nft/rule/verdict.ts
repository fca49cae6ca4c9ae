import { fields, type Json, UnknownRule, word } from './rule.ts'

type Printer = (json: Json) => string

function bare(verb: string): readonly [string, Printer] {
  return [
    verb,
    json => {
      if (json !== null) throw new UnknownRule()
      return verb
    },
  ]
}

function toChain(verb: string): readonly [string, Printer] {
  return [verb, json => `${verb} ${word(fields(json, 'target').target)}`]
}

/** Printers of verdicts, which are statements of rules and values of maps. */
export const VERDICTS: ReadonlyMap<string, Printer> = new Map([
  bare('accept'),
  bare('drop'),
  bare('return'),
  bare('continue'),
  toChain('jump'),
  toChain('goto'),
])
