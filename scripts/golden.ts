/**
 * Shows how kubenft's own golden files (layouts maps and kube-proxy-1.37) differ from what it prints now, and with --write makes them so.
 * What kube-proxy recorded is never touched. Run by hand: npm run golden [-- --write]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { ownGoldens } from '../test/support/own-goldens.ts'

let different = 0
for (const [file, text] of ownGoldens()) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before === text) continue
  different++
  const name = path.relative(process.cwd(), file)
  console.log(before === '' ? `new: ${name}` : createTwoFilesPatch(name, name, before, text, 'now in the repository', 'printed by kubenft'))
  if (process.argv.includes('--write')) writeFileSync(file, text)
}
console.log(`${different} golden file${different === 1 ? '' : 's'} ${process.argv.includes('--write') ? 'written' : 'would change'}`)
