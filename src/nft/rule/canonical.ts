import { normalRule } from './normal.ts'
import { parseRule } from './parse.ts'
import { printRule } from './print.ts'
import { tokens } from './tokens.ts'

/**
 * A rule's text in one spelling, the layouts': texts that mean the same become equal. A rule with something that kubenft does not write itself
 * keeps its words.
 */
export function canonicalRule(text: string): string {
  const rule = parseRule(text)
  const printed = rule === undefined ? undefined : printRule(normalRule(rule))
  return (
    printed ??
    tokens(text)
      ?.map(token => (token.quoted ? `"${token.text}"` : token.text))
      .join(' ') ??
    text
  )
}
