import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CommandRequest, CommandResult, OperationName, Operations, Request, Response } from '../protocol.ts'
import { send } from './flows.ts'
import { probe } from './probes.ts'
import { serve } from './servers.ts'

const OPERATIONS: { readonly [Name in OperationName]: (request: Operations[Name]['request']) => Promise<Operations[Name]['result']> } = {
  run,
  sysctl,
  serve,
  probe,
  send,
  conntrack,
}

async function sysctl(parameters: Operations['sysctl']['request']): Promise<null> {
  for (const [name, value] of parameters) {
    const file = `/proc/sys/${name.split('.').join('/')}`
    if (existsSync(file)) writeFileSync(file, value)
  }
  return null
}

async function conntrack(): Promise<string> {
  if (existsSync('/proc/net/nf_conntrack')) return readFileSync('/proc/net/nf_conntrack', 'utf8')
  const lists = await Promise.all(['ipv4', 'ipv6'].map(family => run({ command: ['conntrack', '-L', '-f', family, '-o', 'extended'] })))
  return lists.map(({ stdout }) => stdout).join('')
}

function run({ command: [program = '', ...args], input = '' }: CommandRequest): Promise<CommandResult> {
  return new Promise(resolve => {
    const child = spawn(program, args, { stdio: 'pipe' })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        output[name] += chunk
      })
    child.on('error', error => resolve({ code: null, stdout: '', stderr: error.message }))
    child.on('close', code => resolve({ code, ...output }))
    // A program that does not read its input, or cannot be started, is judged by its exit.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

function answer(response: Response): void {
  process.stdout.write(`${JSON.stringify(response)}\n`)
}

// The namespace lives as long as its processes: when the other end is gone, however it went, nothing may stay.
process.stdout.on('error', () => process.exit())
createInterface({ input: process.stdin })
  .on('close', () => process.exit())
  .on('line', line => {
    const { id, operation, request } = JSON.parse(line) as Request
    const work = OPERATIONS[operation] as (request: unknown) => Promise<unknown>
    work(request).then(
      result => answer({ id, result }),
      (error: unknown) => answer({ id, error: String(error) }),
    )
  })
answer({ id: 0, result: null })
