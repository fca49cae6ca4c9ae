/**
 * Shows how docs/features.md differs from what the golden cases give now, and with --write makes it so.
 * Run by hand: npx tsx scripts/feature-table.ts [--write]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createTwoFilesPatch } from 'diff'
import { featurePage } from './features/table.ts'

const FILE = new URL('../docs/features.md', import.meta.url)
const page = featurePage()
const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
if (before !== page)
  console.log(createTwoFilesPatch('docs/features.md', 'docs/features.md', before, page, 'now in the repository', 'from the golden cases'))
if (process.argv.includes('--write')) writeFileSync(FILE, page)
else if (before !== page) process.exitCode = 1
