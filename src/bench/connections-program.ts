/**
 * Runs in a namespace, where nothing of this package may be reachable, so it is text. Listens on every port of the endpoints, keeps some connections
 * to the targets on the way for a while, and prints how many were set up. Connections end by reset: none waits in TIME_WAIT and holds a port.
 */
export const CONNECTIONS_PROGRAM = `
const net = require('node:net')
const { targets, listen, concurrency, durationMs } = JSON.parse(require('node:fs').readFileSync('connections.json', 'utf8'))
let connections = 0
let failures = 0
let next = 0
let open = 0
let listening = 0
let start = 0

for (const port of listen) {
  const server = net.createServer(socket => socket.on('error', () => {}))
  server.listen({ port, host: '0.0.0.0', backlog: 1024 }, () => {
    if (++listening < listen.length) return
    start = performance.now()
    for (let i = 0; i < concurrency; i++) connect()
  })
}

function connect() {
  if (performance.now() - start > durationMs) {
    if (open === 0) finish()
    return
  }
  open++
  const socket = net.connect({ ...targets[next++ % targets.length], timeout: 5000 })
  const done = success => {
    if (success) connections++
    else failures++
    open--
    socket.removeAllListeners()
    socket.on('error', () => {})
    if (success) socket.resetAndDestroy()
    else socket.destroy()
    connect()
  }
  socket.on('connect', () => done(true))
  socket.on('error', () => done(false))
  socket.on('timeout', () => done(false))
}

function finish() {
  process.stdout.write(JSON.stringify({ connections, failures, ms: performance.now() - start }), () => process.exit(0))
}
`
