/**
 * What an agent does for the process that started it: one JSON request a line on its standard input, one JSON answer a line on its standard output.
 * Answers carry the request's `id` and may come in any order.
 */
export type Protocol = 'tcp' | 'udp'

export interface CommandRequest {
  /** Program and arguments; no shell. */
  readonly command: readonly string[]
  readonly input?: string
}

export interface CommandResult {
  /** Exit code; null when a signal ended the program or it could not be started. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where a server listens. The address is one of the namespace's own. */
export interface Listener {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
}

/** What a server tells every client: which endpoint it is, and where the connection came from as it saw it. */
export interface Answer {
  /** `10.244.1.51:8080`, `[fd00:10:244:1::33]:8080` */
  readonly endpoint: string
  /** Address of the client as the server saw it: the node's own when the connection was masqueraded. */
  readonly source: string
}

export interface Probe {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** Address to connect from; the kernel's choice unless given. */
  readonly from?: string
}

/**
 * What became of a probe. `timeout`: no answer of any kind, which is how a dropped packet looks. `unreachable`: an error that names no port.
 * Linux does not heed an ICMPv6 error that comes while connect() still sends the SYN, so an IPv6 TCP reject is seen after the second SYN, at 1 s.
 */
export type ProbeResult =
  | ({ readonly outcome: 'answered' } & Answer)
  | { readonly outcome: 'refused' | 'reset' | 'unreachable' | 'timeout' }

/** The first packet of a connection: from this address and port to that one. */
export interface Flow {
  readonly protocol: Protocol
  readonly from: string
  readonly fromPort: number
  readonly to: string
  readonly port: number
}

export interface SendRequest {
  readonly flows: readonly Flow[]
  /** How long to stay after the last packet, in milliseconds: less than 1 s, when TCP sends again. */
  readonly linger: number
}

/** Every operation: what it takes and what it answers with. */
export interface Operations {
  readonly run: { readonly request: CommandRequest; readonly result: CommandResult }
  /** Kernel parameters of the namespace (`net.ipv4.ip_forward`), in order. A parameter that this kernel lacks is passed over. */
  readonly sysctl: { readonly request: readonly (readonly [name: string, value: string])[]; readonly result: null }
  readonly serve: { readonly request: readonly Listener[]; readonly result: null }
  readonly probe: {
    readonly request: { readonly probes: readonly Probe[]; readonly timeout: number }
    readonly result: readonly ProbeResult[]
  }
  /** Sends the first packets of flows, one after the other. What becomes of them is for the node to say. */
  readonly send: { readonly request: SendRequest; readonly result: null }
  /** The namespace's connection tracking table as text. */
  readonly conntrack: { readonly request: null; readonly result: string }
}

export type OperationName = keyof Operations

export interface Request {
  readonly id: number
  readonly operation: OperationName
  readonly request: unknown
}

export type Response = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: string }
