import { once } from 'node:events'
import { request as requestPlain, type IncomingMessage } from 'node:http'
import { Agent, request as requestSecure } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { PipelineRequest } from '@azure/core-rest-pipeline'
import { hostnameOf, isAddress, portOf } from '../base/address.ts'
import { errorCode } from '../base/error-code.ts'
import { trustOptions } from './certificate-authorities.ts'
import { connectionOptions } from './connection-options.ts'

/** A failure of the proxy, not of the host behind it. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
}

type Signal = PipelineRequest['abortSignal']
type Parameter = Parameters<Agent['createConnection']>
type Callback = NonNullable<Parameter[1]>
type Options = Parameter[0] & { readonly socket?: Socket }

/**
 * Connects one https request through a proxy. The library's own agent throws past every handler when a proxy with TLS hangs up, keeps the
 * connection to a proxy that never responds, and reports failures of the proxy as failures of the host.
 */
export class Tunnel extends Agent {
  /** Set when the proxy made no connection. */
  failure: ProxyError | undefined
  readonly #proxy: URL
  readonly #target: URL
  readonly #signal: Signal

  constructor(proxy: URL, target: URL, signal: Signal) {
    super()
    this.#proxy = proxy
    this.#target = target
    this.#signal = signal
  }

  override createConnection(options: Parameter[0], callback: Callback = () => {}): undefined {
    void this.#connect(options, callback)
  }

  async #connect(options: Options, callback: Callback): Promise<void> {
    try {
      const socket = await this.#open()
      callback(null, super.createConnection({ ...options, socket } as Options) as Duplex)
    } catch (error) {
      callback(error as Error, undefined as never)
    }
  }

  async #open(): Promise<Socket> {
    const path = `${this.#target.hostname}:${portOf(this.#target)}`
    const request = (this.#proxy.protocol === 'https:' ? requestSecure : requestPlain)({
      ...proxyAddress(this.#proxy),
      method: 'CONNECT',
      path,
      headers: { host: path, ...proxyAuthorization(this.#proxy) },
      agent: false,
    })
    let socket: Socket | undefined
    const abort = () => {
      request.destroy()
      socket?.destroy(new Error('The attempt ended'))
    }
    this.#signal?.addEventListener('abort', abort)
    try {
      const connected = once(request, 'connect') as Promise<[IncomingMessage, Socket, Buffer]>
      request.end()
      const [{ statusCode: first = 0 }, opened, head] = await connected
      socket = opened
      const statusCode = first < 200 ? await readFinalStatus(opened, head) : first
      if (statusCode >= 200 && statusCode < 300) return opened
      opened.destroy()
      throw new ProxyError(statusCode === 407 ? 'requires credentials (407)' : `refused the connection (${statusCode})`)
    } catch (error) {
      socket?.destroy()
      this.failure = toProxyError(error)
      throw this.failure
    } finally {
      this.#signal?.removeEventListener('abort', abort)
    }
  }
}

/** Characters of the responses to CONNECT. */
const maxHeaderLength = 16_384

/**
 * Reads on to the final response: Node takes an informational one (1xx) for the answer to CONNECT (RFC 9110, section 15.2).
 *
 * @returns Its status; not a number if it is no HTTP response.
 */
async function readFinalStatus(socket: Socket, head: Buffer): Promise<number> {
  let text = head.toString('latin1')
  for (let length = text.length; length <= maxHeaderLength;) {
    const end = text.indexOf('\r\n\r\n')
    if (end >= 0) {
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1])
      if (!(status < 200)) return status
      text = text.slice(end + 4)
      continue
    }
    const chunk = socket.read() as Buffer | null
    if (chunk === null && socket.readableEnded) break
    if (chunk === null) await Promise.race([once(socket, 'readable'), once(socket, 'end')])
    text += chunk?.toString('latin1') ?? ''
    length += chunk?.length ?? 0
  }
  throw new ProxyError('sent an invalid response to CONNECT')
}

/** The options by which Node connects to a proxy. The certificate must name the proxy, not the host behind it. */
export function proxyAddress(proxy: URL) {
  const hostname = hostnameOf(proxy)
  const servername = isAddress(proxy) ? '' : hostname
  // Token requests use this agent too, and their lookup never waits for other lookups.
  return {
    hostname,
    port: portOf(proxy),
    servername,
    rejectUnauthorized: true,
    ...trustOptions(),
    ...connectionOptions('AUTHORITY'),
  }
}

/** The header with the user name and password of a proxy's URL, if it has any. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const user = decodeURIComponent(`${username}:${password}`)
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}

export function toProxyError(error: unknown): ProxyError {
  if (error instanceof ProxyError) return error
  return new ProxyError(`made no connection (${errorCode(error) ?? 'no proxy responded'})`, { cause: error })
}
