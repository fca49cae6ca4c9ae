import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { examples, outputOf } from './support/readme.ts'

const EXAMPLES = examples(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))

test('README.md has examples with output', () => expect(EXAMPLES.length).toBeGreaterThan(3))

test.each(EXAMPLES)('README.md shows what is printed: $command', async ({ command, output }) => {
  expect(await outputOf(command)).toBe(output)
})
