import { constants, isUtf8 } from 'node:buffer'
import { megabytes } from './bytes.ts'
import { linesBefore } from './position.ts'
import { Unreadable } from './unreadable.ts'

const AS_TEXT = 'A snapshot is YAML or JSON in UTF-8, as kubectl get … -o yaml prints it, plain or in gzip.'

/** The text of UTF-8 bytes, without byte order mark. @throws Unreadable for what is empty or no text. */
export function decode(bytes: Buffer): string {
  if (bytes.length === 0) {
    throw new Unreadable('the input is empty (0 bytes)', 'Was kubectl interrupted, or did it print only an error? Take the snapshot again.')
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new Unreadable('the text is UTF-16, not UTF-8', 'PowerShell writes UTF-16 with >. Use | Out-File -Encoding utf8 FILE.')
  }
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new Unreadable(
      `the text is larger than ${megabytes(constants.MAX_STRING_LENGTH)}`,
      'One file cannot be larger. Split it: one file a kind, or one a namespace.',
    )
  }
  // A NUL is legal UTF-8, but stands in no YAML or JSON.
  const nul = bytes.indexOf(0)
  if (nul >= 0) throw new Unreadable(`the input is binary: byte ${nul} is NUL`, AS_TEXT)
  const text = bytes.toString('utf8')
  if (!isUtf8(bytes)) {
    throw new Unreadable(`line ${linesBefore(text, text.indexOf('\ufffd')) + 1} is not valid UTF-8`, AS_TEXT)
  }
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
