import { printable } from '../../diagnostics.ts'

/** A JSON pointer of ajv, with a last field if given, as a JSON path: `/spec/ports/0`, `port` is `spec.ports[0].port`. */
export function fieldPath(pointer: string, field?: string): string {
  const keys = pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (field !== undefined) keys.push(field)
  return keys.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : keyPart(key, index === 0))).join('')
}

function keyPart(key: string, first: boolean): string {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(key) ? `${first ? '' : '.'}${key}` : `["${printable(key, 60)}"]`
}
