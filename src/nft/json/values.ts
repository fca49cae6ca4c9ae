import type { Json } from '../rule/rule.ts'

const VERDICT = /^(?:(jump|goto) (\S+)|accept|drop|return|continue)$/

/** An element's value: a verdict, or what a key is. */
export function valueJson(text: string): Json {
  const verdict = VERDICT.exec(text)
  if (verdict === null) return keyJson(text)
  const [verb, to, target] = verdict
  return to === undefined ? { [verb]: null } : { [to]: { target: target ?? '' } }
}

/** An element's key: one part, or several joined by dots. */
export function keyJson(text: string): Json {
  const parts = text.split(' . ')
  return parts.length === 1 ? partJson(text) : { concat: parts.map(partJson) }
}

function partJson(text: string): Json {
  if (/^\d+$/.test(text)) return Number(text)
  if (text.startsWith('"')) return text.slice(1, -1)
  const [addr = '', length] = text.split('/')
  if (length !== undefined) return { prefix: { addr, len: Number(length) } }
  const [from = '', to] = text.split('-')
  return to !== undefined && /^[\d.]+$|:/.test(from) ? { range: [from, to] } : text
}
