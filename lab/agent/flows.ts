import dgram from 'node:dgram'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Flow, FlowResult } from '../protocol.ts'

interface Sent {
  result: FlowResult
  readonly close: () => void
}

const sent: Sent[] = []

/** Sends the first packet of each flow, one after the other, without waiting for what comes back. */
export async function send(flows: readonly Flow[]): Promise<null> {
  for (const flow of flows) sent.push(flow.protocol === 'tcp' ? await sendTcp(flow) : await sendUdp(flow))
  return null
}

/** Results of what was sent since the last call. A second SYN would follow after 1 s, so wait for less. */
export async function settle(milliseconds: number): Promise<FlowResult[]> {
  await sleep(milliseconds)
  const flows = sent.splice(0)
  for (const { close } of flows) close()
  return flows.map(({ result }) => result)
}

async function sendTcp({ from, fromPort, to, port }: Flow): Promise<Sent> {
  const socket = net.connect({ host: to, port, localAddress: from, localPort: fromPort })
  const flow: Sent = { result: 'silent', close: () => socket.destroy() }
  socket.on('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') flow.result = 'refused'
  })
  // The kernel's connect() is called in the next tick.
  await new Promise(resolve => process.nextTick(resolve))
  return flow
}

/** Addresses are literal: nothing to look up, so nothing to wait for. */
function literal(address: string, _: unknown, callback: (error: null, address: string, family: number) => void): void {
  callback(null, address, address.includes(':') ? 6 : 4)
}

function sendUdp({ from, fromPort, to, port }: Flow): Promise<Sent> {
  const socket = dgram.createSocket({ type: from.includes(':') ? 'udp6' : 'udp4', lookup: literal as never })
  const flow: Sent = { result: 'silent', close: () => socket.close() }
  return new Promise(resolve => {
    const failed = (error: Error | null): void => {
      if ((error as NodeJS.ErrnoException | null)?.code === 'ECONNREFUSED') flow.result = 'refused'
      resolve(flow)
    }
    socket.on('error', failed)
    // Only a connected socket is told of ICMP errors, and it is told when it next asks the kernel: reading does that.
    socket.bind({ address: from, port: fromPort }, () => socket.connect(port, to, () => socket.send('?', failed)))
  })
}
