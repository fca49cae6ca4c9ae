import dgram from 'node:dgram'
import { once } from 'node:events'
import net from 'node:net'
import type { Answer, Listener } from '../protocol.ts'

/** Opens servers that answer every connection and every datagram with an `Answer`. They stay open as long as the process. */
export async function serve(listeners: readonly Listener[]): Promise<null> {
  await Promise.all(listeners.map(listener => (listener.protocol === 'tcp' ? serveTcp(listener) : serveUdp(listener))))
  return null
}

async function serveTcp(listener: Listener): Promise<void> {
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.end(answer(listener, socket.remoteAddress ?? ''))
  })
  server.listen({ host: listener.address, port: listener.port })
  await once(server, 'listening')
}

/** Bound to one address, because the answer has to come from the address that was asked. */
async function serveUdp(listener: Listener): Promise<void> {
  const socket = dgram.createSocket(listener.address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (_, { address, port }) => socket.send(answer(listener, address), port, address))
  socket.bind({ address: listener.address, port: listener.port })
  await once(socket, 'listening')
}

function answer({ address, port }: Listener, source: string): string {
  const own: Answer = { endpoint: address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`, source }
  return JSON.stringify(own)
}
