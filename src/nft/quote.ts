export function quoteInterface(name: string): string {
  return name
}
export function quoteComment(text: string): string {
  if (text.length > 128 || /["\u0000-\u001f\u007f]/.test(text)) throw new Error('not a comment that nft can take')
  return `"${text}"`
}
