import dgram from 'node:dgram'
import net from 'node:net'
import type { Answer, Probe, ProbeResult } from '../protocol.ts'

/** Makes all connections at the same time and waits for what becomes of each; `timeout` in milliseconds. */
export function probe({ probes, timeout }: { readonly probes: readonly Probe[]; readonly timeout: number }): Promise<ProbeResult[]> {
  return Promise.all(probes.map(one => (one.protocol === 'tcp' ? probeTcp(one, timeout) : probeUdp(one, timeout))))
}

function probeTcp({ address, port, from }: Probe, timeout: number): Promise<ProbeResult> {
  return new Promise(resolve => {
    let text = ''
    const socket = net.connect({ host: address, port, ...(from !== undefined && { localAddress: from }) })
    socket.setEncoding('utf8')
    socket.setTimeout(timeout, () => done({ outcome: 'timeout' }))
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('end', () => done(text === '' ? { outcome: 'reset' } : answered(text)))
    socket.on('error', error => done(failed(error)))
    const done = (result: ProbeResult): void => {
      socket.destroy()
      resolve(result)
    }
  })
}

function probeUdp({ address, port, from }: Probe, timeout: number): Promise<ProbeResult> {
  return new Promise(resolve => {
    const socket = dgram.createSocket(address.includes(':') ? 'udp6' : 'udp4')
    const timer = setTimeout(() => done({ outcome: 'timeout' }), timeout)
    const done = (result: ProbeResult): void => {
      clearTimeout(timer)
      socket
        .removeAllListeners('message')
        .removeAllListeners('error')
        .on('error', () => {})
      socket.close()
      resolve(result)
    }
    socket.on('message', message => done(answered(message.toString())))
    socket.on('error', error => done(failed(error)))
    // Only a connected socket is told of ICMP errors. Sending fails with EPERM when the node's own output chains stop the packet: if they rejected it,
    // the error that says so is still to be read.
    socket.bind({ port: 0, ...(from !== undefined && { address: from }) }, () =>
      socket.connect(port, address, () => socket.send('?', error => error && code(error) !== 'EPERM' && done(failed(error)))),
    )
  })
}

function answered(text: string): ProbeResult {
  return { outcome: 'answered', ...(JSON.parse(text) as Answer) }
}

function failed(error: Error): ProbeResult {
  switch (code(error)) {
    case 'ECONNREFUSED':
      return { outcome: 'refused' }
    case 'ECONNRESET':
      return { outcome: 'reset' }
    case 'ETIMEDOUT':
      return { outcome: 'timeout' }
    default:
      return { outcome: 'unreachable' }
  }
}

function code(error: NodeJS.ErrnoException): string | undefined {
  return error.code
}
