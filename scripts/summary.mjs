// Prints the closing line of scripts/test from vitest's JSON report; fails when there is none, or no test in it.
import { readFileSync } from 'node:fs'

const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
// A file that cannot be loaded has no test to fail.
const broken = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.every(({ status }) => status !== 'failed'),
)
for (const { name } of broken) console.log(`could not run: ${name}`)
const failed = numFailedTests + broken.length
console.log(`${numPassedTests} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`)
process.exitCode = failed > 0 || numPassedTests === 0 ? 1 : 0
