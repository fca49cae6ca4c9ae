import dgram from 'node:dgram'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Flow, SendRequest } from '../protocol.ts'

type Close = () => void

/** Sends the first packet of each flow, one after the other, and gives up on all of them at the end. */
export async function send({ flows, linger }: SendRequest): Promise<null> {
  const open: Close[] = []
  for (const flow of flows) open.push(flow.protocol === 'tcp' ? await sendTcp(flow) : await sendUdp(flow))
  await sleep(linger)
  for (const close of open) close()
  return null
}

/** What comes back is not of interest here. */
function ignore(): void {}

async function sendTcp({ from, fromPort, to, port }: Flow): Promise<Close> {
  const socket = net.connect({ host: to, port, localAddress: from, localPort: fromPort })
  socket.on('error', ignore)
  // The kernel's connect() is called in the next tick.
  await new Promise<void>(resolve => process.nextTick(resolve))
  return () => socket.destroy()
}

/** Addresses are literal: there is nothing to look up and nothing to wait for. */
function literal(address: string, _: unknown, callback: (error: null, address: string, family: number) => void): void {
  callback(null, address, address.includes(':') ? 6 : 4)
}

function sendUdp({ from, fromPort, to, port }: Flow): Promise<Close> {
  const socket = dgram.createSocket({ type: from.includes(':') ? 'udp6' : 'udp4', lookup: literal as never })
  socket.on('error', ignore)
  return new Promise(resolve =>
    socket.bind({ address: from, port: fromPort }, () => socket.send('?', port, to, () => resolve(() => socket.close()))),
  )
}
