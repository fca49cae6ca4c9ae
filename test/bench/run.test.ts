import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CANDIDATE_NAMES, isInstalled } from '../../src/bench/candidates.ts'
import { inspectHost } from '../../src/bench/host.ts'
import { type BenchOptions, type BenchReport, type BenchResult, REPORT_SCHEMA, runBench } from '../../src/bench/index.ts'
import { UPDATE_NAMES } from '../../src/bench/updates.ts'

const SMALLEST = { services: [12], endpoints: 2, rounds: 2, samples: 4, budget: 30 } as const
const { host, problem } = await inspectHost(new AbortController().signal)
const lacking = problem ?? (host.nft === null ? 'nft is not installed' : undefined)
const skipped = lacking !== undefined && process.env['CI'] === undefined

const validate = new Ajv({ allowUnionTypes: true }).compile(REPORT_SCHEMA)

/** Temporary files of a run go to a folder of the test's own. */
let folder: string
const before = process.env['TMPDIR']
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kubenft-bench-test-'))
  process.env['TMPDIR'] = folder
})
afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  rmSync(folder, { recursive: true })
})

async function run(options: BenchOptions, signal = new AbortController().signal): Promise<string> {
  const stdout = new PassThrough()
  const printed = text(stdout)
  try {
    expect(await runBench(options, { stdout, stderr: new PassThrough().resume(), signal })).toBe(0)
  } finally {
    stdout.end()
  }
  return printed
}

/** Processes that work in the folder: what runs in a namespace of ours does. */
function processesLeft(): string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TMPDIR=${folder}`) && Number(pid) !== process.pid
    } catch {
      return false
    }
  })
}

describe.skipIf(skipped)(`a run in network namespaces${skipped ? ` (${lacking})` : ''}`, () => {
  let report: BenchReport
  beforeAll(async () => {
    report = JSON.parse(await run({ ...SMALLEST, output: 'json' })) as BenchReport
  })

  test('the report is as its schema says', () => {
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(report.notes).toEqual([])
  })

  test('every installed layout is there, with every figure', () => {
    expect(report.results.map(({ layout }) => layout)).toEqual(
      CANDIDATE_NAMES.filter(name => !name.startsWith('iptables') || isInstalled(name)),
    )
    for (const result of report.results) {
      expect(result.loadMs).toBeGreaterThan(0)
      expect(result.compileMs).toBeGreaterThan(0)
      expect(result.scriptBytes).toBeGreaterThan(0)
      // A load may be over before anybody could look at its memory.
      expect(result.nftPeakBytes).not.toBe(0)
      expect(result.restartMs).toEqual(result.layout.startsWith('iptables') ? null : expect.any(Number))
      if (isInstalled('ip')) expect(result.connectionsPerSecond).toBeGreaterThan(0)
      expect(Object.keys(result.update)).toEqual(UPDATE_NAMES)
    }
  })

  test('parts add up to wholes', () => {
    for (const result of report.results) {
      for (const update of Object.values(result.update)) {
        const { computeMs, applyMs, totalMs, samples, operations } = update
        expect(samples).toBe(SMALLEST.samples)
        expect(operations).toBeGreaterThan(0)
        expect(totalMs!.mean).toBeCloseTo(computeMs.mean + applyMs!.mean, 6)
        for (const times of [computeMs, applyMs!, totalMs!]) {
          expect(times.p50).toBeGreaterThan(0)
          expect(times.p90).toBeGreaterThanOrEqual(times.p50)
          expect(times.p99).toBeGreaterThanOrEqual(times.p90)
        }
      }
    }
  })

  test('every figure lies between those of its rounds', () => {
    const figures = (result: BenchResult) => ({
      compileMs: result.compileMs,
      loadMs: result.loadMs,
      connectionsPerSecond: result.connectionsPerSecond,
    })
    for (const result of report.results) {
      for (const [name, value] of Object.entries(figures(result))) {
        if (value === null) continue
        expect(value).toBeGreaterThanOrEqual(result.spread[name]!.min)
        expect(value).toBeLessThanOrEqual(result.spread[name]!.max)
      }
    }
  })

  test('an update of maps has the operations that its bounds allow', () => {
    const { update } = report.results.find(({ layout }) => layout === 'maps')!
    expect(update.endpointReplaced!.operations).toBe(2)
    // Two for each endpoint (a slot, and a hairpin pair if it is local), and two for the address.
    expect(update.serviceAdded!.operations).toBeLessThanOrEqual(2 * SMALLEST.endpoints + 2)
    expect(update.serviceRemoved!.operations).toBeLessThanOrEqual(2 * SMALLEST.endpoints + 2)
  })

  test('it leaves no file and no process', () => {
    expect(readdirSync(folder)).toEqual([])
    expect(processesLeft()).toEqual([])
  })

  test.each(['full load', 'update, endpointReplaced', 'connections'])('an interrupted one leaves none either: %s', async phase => {
    const controller = new AbortController()
    const stderr = new PassThrough()
    stderr.on('data', (line: Buffer) => {
      if (line.toString().includes(phase)) setTimeout(() => controller.abort(new Error('interrupted')), 5)
    })
    const running = runBench({ ...SMALLEST, budget: 1, samples: 1000 }, { stdout: new PassThrough(), stderr, signal: controller.signal })
    await expect(running).rejects.toThrow('interrupted')
    expect(readdirSync(folder)).toEqual([])
    expect(processesLeft()).toEqual([])
  })

  test('one whose process is killed leaves none either', async () => {
    const program = `
      import { runBench } from ${JSON.stringify(new URL('../../src/bench/index.ts', import.meta.url).href)}
      const { signal } = new AbortController()
      await runBench(${JSON.stringify({ ...SMALLEST, samples: 1000 })}, { stdout: process.stdout, stderr: process.stderr, signal })`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    for await (const line of createInterface({ input: child.stderr })) if (line.includes('update, endpointReplaced')) break
    expect(processesLeft()).not.toEqual([])
    child.kill('SIGKILL')
    await expect
      .poll(() => [...readdirSync(folder).filter(name => name.startsWith('kubenft')), ...processesLeft()], { timeout: 30_000 })
      .toEqual([])
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true })
  })

  test('a layout over its budget is stopped and shown', async () => {
    const options = { services: [3000], layouts: ['kube-proxy-1.34'], budget: 0.05, rounds: 2, samples: 1 }
    const { results } = JSON.parse(await run({ ...options, output: 'json' })) as BenchReport
    expect(results[0]).toMatchObject({ loadMs: null, loadOverMs: 50, connectionsPerSecond: null })
    expect(results[0]!.update.endpointReplaced).toMatchObject({ applyMs: null, totalMs: null })
    expect(readdirSync(folder)).toEqual([])
    expect(await run({ ...options, output: 'text' })).toContain('over 50.0 ms')
  })
})

test('without the programs, what is left is measured, and the report says so', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = folder
  try {
    const report = JSON.parse(await run({ ...SMALLEST, layouts: ['maps', 'iptables-nft-restore'], output: 'json' })) as BenchReport
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(report.host).toMatchObject({ nft: null, namespace: null })
    expect(report.notes).toEqual([expect.stringContaining('Nothing was loaded')])
    for (const { loadMs, compileMs, update } of report.results) {
      expect(loadMs).toBeNull()
      expect(compileMs).toBeGreaterThan(0)
      expect(update.endpointReplaced).toMatchObject({ samples: SMALLEST.samples, applyMs: null, totalMs: null })
    }
  } finally {
    process.env['PATH'] = path
  }
})

test('options out of range are refused, all at once', async () => {
  const running = run({ services: [0], endpoints: 1.5, layouts: ['ipvs'], budget: -1 })
  await expect(running).rejects.toThrow(/services is 0[\s\S]*endpoints is 1.5[\s\S]*budget is -1[\s\S]*no layout is called ipvs/)
})
