import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Diagnostic, DiagnosticsError, formatDiagnostic, printable } from '../src/diagnostics.ts'

describe('printable', () => {
  test.each([
    ['plain text', 'Service shop/web', 'Service shop/web'],
    ['other scripts', 'Dienst für „Größe“ 服务', 'Dienst für „Größe“ 服务'],
    ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
    ['a newline and a tab', 'a\nb\tc\r', 'a\\u000ab\\u0009c\\u000d'],
    ['C1 controls', '\u009b31m', '\\u009b31m'],
    ['line separators', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['a change of direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['what is not seen', 'a\u200bb\ufeff\u00ad', 'a\\u200bb\\ufeff\\u00ad'],
  ])('%s', (_name, text, expected) => {
    expect(printable(text)).toBe(expected)
  })

  test('cuts long text and says how long it was', () => {
    expect(printable('a'.repeat(120))).toBe('a'.repeat(120))
    expect(printable('a'.repeat(121))).toBe(`${'a'.repeat(120)}… (121 characters)`)
    expect(printable('abcdef', 3)).toBe('abc… (6 characters)')
  })

  test('never lets a control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        expect(printable(text)).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
      }),
      { numRuns: 500 },
    )
  })
})

describe('formatDiagnostic', () => {
  test.each<[string, Diagnostic, string]>([
    ['a summary alone', { severity: 'warning', summary: 'odd' }, 'warning: odd'],
    [
      'every place',
      {
        severity: 'error',
        place: { file: 'a.yaml', document: 2, object: 'Service shop/web', path: 'spec.ports[0]' },
        summary: 'wrong',
        detail: 'Correct it.',
      },
      'error: a.yaml, document 2, Service shop/web, spec.ports[0]: wrong\n    Correct it.',
    ],
    ['empty places', { severity: 'error', place: { file: '', object: 'Node a' }, summary: 'wrong' }, 'error: Node a: wrong'],
    [
      'hostile text in every field',
      { severity: 'error', place: { file: 'a\n', object: 'b\n', path: 'c\n' }, summary: 'd\n', detail: 'e\n' },
      'error: a\\u000a, b\\u000a, c\\u000a: d\\u000a\n    e\\u000a',
    ],
  ])('%s', (_name, diagnostic, text) => {
    expect(formatDiagnostic(diagnostic)).toBe(text)
  })
})

test('DiagnosticsError carries all problems and says them', () => {
  const diagnostics: Diagnostic[] = [
    { severity: 'error', summary: 'one' },
    { severity: 'warning', summary: 'two', detail: 'Mind it.' },
  ]
  const error = new DiagnosticsError(diagnostics)
  expect(error.diagnostics).toBe(diagnostics)
  expect(error.name).toBe('DiagnosticsError')
  expect(error.message).toBe('error: one\nwarning: two\n    Mind it.')
})
