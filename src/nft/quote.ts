import { NFT_KEYWORDS } from './keywords.ts'

/** What nft takes of a comment (NFTNL_UDATA_COMMENT_MAXLEN), in bytes. */
const COMMENT_BYTES = 128
const CUT = '...'

/** Whether nft can have a text in quotes: it knows no escapes, so there can be no quote in it. */
export function isQuotable(text: string): boolean {
  return !/["\u0000-\u001f\u007f]/.test(text)
}

export function isComment(text: string): boolean {
  return isQuotable(text) && Buffer.byteLength(text) <= COMMENT_BYTES
}

/** @throws Error when nft cannot take it: comments are made from names that were validated, and cut with `fittingComment`. */
export function quoteComment(text: string): string {
  if (!isComment(text)) throw new Error('not a comment that nft can take')
  return `"${text}"`
}

/** A comment of ASCII text, cut to what nft takes: a service port can have a name of 143 characters. */
export function fittingComment(text: string): string {
  return text.length <= COMMENT_BYTES ? text : `${text.slice(0, COMMENT_BYTES - CUT.length)}${CUT}`
}

/** What nft reads as a name without quotes, with an asterisk for any ending. */
const BARE_NAME = /^[A-Za-z_][\w.-]*\*?$/
/** The kernel's IFNAMSIZ, without the closing zero. */
const INTERFACE_LENGTH = 15

/**
 * An interface name in a rule, in quotes only where nft needs them: it reads keywords as such, and `0x1` as a number. A name of full length with an asterisk
 * behind it, which nft does not take, is the name alone: no name goes on after it.
 *
 * @throws Error when it holds what cannot be quoted
 */
export function quoteInterface(name: string): string {
  const text = name.length === INTERFACE_LENGTH + 1 && name.endsWith('*') ? name.slice(0, -1) : name
  if (BARE_NAME.test(text) && !NFT_KEYWORDS.has(text)) return text
  if (!isQuotable(text)) throw new Error('not an interface name that nft can take')
  return `"${text}"`
}
