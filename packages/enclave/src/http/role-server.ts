import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, type Socket, createServer as createListener } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SecureContext, type TlsOptions, createSecureContext } from 'node:tls'
import { callbackify } from 'node:util'
import type { FaultBoard } from '../faults/fault-board.ts'
import type { Fault } from '../faults/fault.ts'
import { type Role, refusal, type EnclaveRequest, type Route, matchRoute, send } from './exchange.ts'
import type { RequestLog } from './request-log.ts'

/** Makes the TLS identity of a server, with the flaw of a fault and with a further host name. */
export type ServerIdentities = (fault: Fault | undefined, host?: string) => Promise<{ key: string; cert: string }>

export interface RoleServerOptions {
  readonly role: Role
  readonly address: string
  /** Default is 0: any free port. */
  readonly port: number | undefined
  /** Absent for a role without TLS. */
  readonly identities?: ServerIdentities | undefined
  /** Whether the server has a certificate for this name of the cloud. */
  readonly servesHost: (host: string) => boolean
  readonly faults: FaultBoard
  readonly log: RequestLog
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The origin that faults such as `redirect` point to. */
  readonly foreignOrigin: () => string
}

type SNICallback = NonNullable<TlsOptions['SNICallback']>

/** Maximum bytes of a request body. The JavaScript SDK sends up to 256 MiB in one PUT. */
const maxRequest = 1024 * 1024
const maxBlobRequest = 256 * 1024 * 1024

export type RoleServer = Awaited<ReturnType<typeof startRoleServer>>

export async function startRoleServer(options: RoleServerOptions) {
  const { role, identities, faults } = options
  const sockets = new Set<Socket>()
  let routes: readonly Route[] = []
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    // Only the TCP socket below a TLS socket can be reset. Both have the same remote port.
    const reset = () =>
      [...sockets].find(({ remotePort }) => remotePort === request.socket.remotePort)?.resetAndDestroy()
    void handle(request, response, options, routes, reset)
  }
  const inner = identities
    ? createSecureServer({ ...(await identities(undefined)), SNICallback: chooseCertificate(options) }, respond)
    : createServer(respond)
  // A client that asks first learns about the limit before it sends the body.
  inner.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!(Number(request.headers['content-length']) > limitOf(role))) response.writeContinue()
    respond(request, response)
  })
  // No timeout, because on a busy machine a client may write to an idle connection that has just been closed.
  inner.keepAliveTimeout = 0
  // With a certificate fault, clients end the handshake.
  inner.on('tlsClientError', () => {})

  const accept = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    if (faults.atConnection(role)?.kind === 'silent-tls') socket.resume()
    else inner.emit('connection', socket)
  }
  const listener = createListener(accept)
  /** Another process may have got the port while it was closed. It is free again when that process ends. */
  const listen = async (port: number, tries = 0): Promise<number> => {
    try {
      await once(listener.listen(port, options.address), 'listening')
      return (listener.address() as AddressInfo).port
    } catch (error) {
      if (tries === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      await sleep(100)
      return listen(port, tries - 1)
    }
  }
  const stopListening = async (): Promise<void> => {
    if (listener.listening) await once(listener.close(), 'close')
  }
  const port = await listen(options.port ?? 0)

  let active: Fault | undefined
  const apply = async (): Promise<void> => {
    const fault = faults.atConnection(role)
    if (fault === active) return
    active = fault
    if (identities && 'setSecureContext' in inner) inner.setSecureContext(await identities(fault))
    const ended = Promise.all([...sockets].map(endConnection))
    if (fault?.kind === 'refused') await stopListening()
    else if (!listener.listening) await listen(port, 100)
    await ended
  }
  // Changes run one after another, because closing and opening the port must not overlap.
  let applied = apply()
  await applied

  return {
    port,
    /** Serves a connection that another server of this process has accepted, which saves sending all bytes through loopback twice. */
    accept,
    /** Sets the routes. Until then, every path returns 404. */
    serve: (next: readonly Route[]): void => {
      routes = next
    },
    /** Applies the faults to port and certificate. If one of them changes, open connections are ended. */
    applyFaults: (): Promise<void> => {
      applied = applied.then(apply)
      return applied
    },
    close: async (): Promise<void> => {
      await applied
      const stopped = stopListening()
      for (const socket of sockets) socket.destroy()
      await stopped
    },
  }
}

/** The certificate for a host name of the cloud, with the active fault. For any other name the server sends its default certificate. */
function chooseCertificate({ role, identities, servesHost, faults }: RoleServerOptions): SNICallback {
  // Parsing a key at each handshake would cost more than the rest of a small request.
  const contexts = new Map<string, Promise<SecureContext>>()
  return callbackify(async (host: string) => {
    if (identities === undefined || !servesHost(host)) return undefined
    const fault = faults.atConnection(role)
    const key = `${fault?.kind} ${host}`
    const context = contexts.get(key) ?? identities(fault, host).then(createSecureContext)
    contexts.set(key, context)
    return context
  })
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  { role, faults, log, now, foreignOrigin }: RoleServerOptions,
  routes: readonly Route[],
  resetConnection: () => void,
): Promise<void> {
  // The client may disconnect at any time.
  response.on('error', () => {})
  const { url = '/', method = 'GET', headers } = incoming
  const [path = '/', query = ''] = url.split(/\?(.*)/s, 2)
  const recordStatus = log.record({ role, method, path, query })
  response.on('finish', () => recordStatus(response.statusCode))
  response.setHeader('date', new Date(now()).toUTCString())
  for (const [name, value] of Object.entries(requestIds(role, headers))) response.setHeader(name, value)
  const limit = limitOf(role)
  try {
    const body = await readBody(incoming, limit)
    if (body === undefined) {
      const message = `The request body is larger than ${limit} bytes.`
      return send(response, refusal(role, 413, 'RequestBodyTooLarge', message), resetConnection)
    }
    const origin = `https://${headers.host ?? 'localhost'}`
    const target = { method, path, query: new URLSearchParams(query), origin, parameters: {}, claims: {} }
    const request: EnclaveRequest = { ...target, headers, body }
    const { step, respond } = matchRoute(role, routes, request)
    send(response, await faults.respond([role, step], respond, foreignOrigin() + url), resetConnection)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (!response.headersSent) send(response, refusal(role, 500, 'EnclaveDefect', message), resetConnection)
  }
}

/** Ends a connection and waits until the client has closed it too, so that no client reuses it. */
async function endConnection(socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), 200)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.end()
  await closed
  clearTimeout(timer)
}

const limitOf = (role: Role): number => (role === 'storage' ? maxBlobRequest : maxRequest)

/**
 * The body, or `undefined` if it exceeds the limit. All of it is read: a client that is still sending shows no response but a lost connection. A
 * client that asked before sending has sent nothing.
 */
async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const { 'content-length': length, expect } = incoming.headers
  if (expect !== undefined && Number(length) > limit) return undefined
  // A body of known length is copied once, as it arrives. Its parts together would need its size a second time.
  const whole = length === undefined || Number(length) > limit ? undefined : Buffer.allocUnsafeSlow(Number(length))
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (whole !== undefined) chunk.copy(whole, size)
    else if (size + chunk.length <= limit) chunks.push(chunk)
    size += chunk.length
  }
  return size > limit ? undefined : (whole ?? Buffer.concat(chunks))
}

/** A valid request id of a client. Other values are not echoed. */
const identifier = /^[\w.-]{1,128}$/

/** Correlation headers: a request id of the cloud, and the client's id. The login authority returns it only on request. */
function requestIds(role: Role, headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  if (role === 'foreign' || role === 'managed-identity') return {}
  const given = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' && identifier.test(value) ? value : undefined
  }
  const isEchoed = role !== 'login' || given('return-client-request-id')?.toLowerCase() === 'true'
  const name = role === 'login' ? 'client-request-id' : 'x-ms-client-request-id'
  const correlation = 'x-ms-correlation-request-id'
  const own = given(name)
  return {
    'x-ms-request-id': randomUUID(),
    ...(role === 'resource-manager' && { [correlation]: given(correlation) ?? randomUUID() }),
    ...(isEchoed && own !== undefined && { [name]: own }),
  }
}
