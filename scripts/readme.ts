/**
 * Runs every `$ kubenft …` of README.md whose output it shows, and with --write puts the output there.
 * Run by hand: npx tsx scripts/readme.ts [--write]; a test does the same without writing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { examples, withOutput } from '../test/support/readme.ts'

const file = new URL('../README.md', import.meta.url)
let text = readFileSync(file, 'utf8')
for (const example of examples(text)) text = await withOutput(text, example)
if (process.argv.includes('--write')) writeFileSync(file, text)
else console.log(text === readFileSync(file, 'utf8') ? 'README.md shows what the commands print' : 'README.md is stale: run with --write')
