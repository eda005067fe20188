import { once } from 'node:events'
import { lstatSync, rmSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect, isIP } from 'node:net'
import type { AddressInfo, ListenOptions } from 'node:net'
import { dirname } from 'node:path'

import { withoutBrackets } from '../lib/base/address.ts'
import { errorCode } from '../lib/base/files.ts'
import { StartError, messageOf, type StartErrorCode } from './start-error.ts'

export interface Listener {
  /** The address to show. `unix:<path>` for a path. */
  readonly url: string
  /** 0 for a path. */
  readonly port: number
}

/** Equivalent addresses for machines that don't have the first one: `::` is missing without IPv6, and 127.0.0.1 in some containers. */
const substitutes: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::': '0.0.0.0' }
const missing: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])
/** The number of connections that the system queues until the server accepts them. A full queue delays probes by a second. */
const backlog = 2048

/**
 * Opens the server's port or Unix socket. `::` accepts IPv4 connections too.
 *
 * @throws {StartError} `PORT_IN_USE`, `PORT_INVALID` or `ADDRESS_UNAVAILABLE`.
 */
export async function listen(
  server: Server,
  port: number | string,
  hostname: string,
  scheme: 'http' | 'https',
): Promise<Listener> {
  if (typeof port === 'string') {
    await listenOnPath(server, port)
    return { url: `unix:${port}`, port: 0 }
  }
  const first = withoutBrackets(hostname)
  const second = substitutes[first]
  await open(server, { port, host: first, backlog }).catch((error: unknown) => {
    if (second === undefined || !missing.has(errorCode(error) ?? '')) throw explain(error, port, hostname)
    return open(server, { port, host: second, backlog }).catch((other: unknown) => {
      throw explain(other, port, `${first} or ${second}`)
    })
  })
  const found = server.address() as AddressInfo
  // A name is shown unchanged. The bound address may be the substitute.
  return { url: listenerUrl(scheme, isIP(first) === 0 ? hostname : found.address, found.port), port: found.port }
}

async function open(server: Server, where: ListenOptions): Promise<void> {
  const listening = once(server, 'listening')
  server.listen(where)
  await listening
}

function explain(error: unknown, port: number, hostname: string): StartError {
  const refuse = (code: StartErrorCode, message: string) => new StartError(code, message, { cause: error })
  const place = `Port ${port} of ${hostname}`
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return refuse('PORT_IN_USE', `${place} is in use by another process. Stop that process, or choose another port.`)
    case 'EACCES':
      return refuse('PORT_INVALID', `This process isn't allowed to use port ${port}. Use one above 1023.`)
    default: {
      const problem = `The server cannot listen on ${hostname}, port ${port}: ${messageOf(error)}.`
      return refuse('ADDRESS_UNAVAILABLE', `${problem} Use an address of this machine.`)
    }
  }
}

function listenerUrl(scheme: 'http' | 'https', hostname: string, port: number): string {
  if (hostname === '127.0.0.1') return `${scheme}://localhost:${port}`
  const address = withoutBrackets(hostname)
  return `${scheme}://${address.includes(':') ? `[${address.replace('%', '%25')}]` : hostname}:${port}`
}

/** Opens a Unix socket for the user and group of this process, or a named pipe of Windows. */
async function listenOnPath(server: Server, path: string): Promise<void> {
  if (!path.startsWith('\\\\')) await freeSocketPath(path)
  // With chmod, other users could connect before it takes effect.
  const before = process.umask(0o117)
  const opened = open(server, { path })
  process.umask(before)
  await opened.catch((error: unknown) => {
    if (errorCode(error) === 'EADDRINUSE') throw pathInUse(path)
    throw new StartError('PORT_INVALID', `The server cannot listen on ${path}: ${messageOf(error)}.`, { cause: error })
  })
}

const pathInUse = (path: string) =>
  new StartError('PORT_IN_USE', `Another process listens on ${path}. Stop it, or choose another path.`)

/** The longest path of a Unix socket in bytes: `sun_path` without its final zero. Node 22 cuts a longer one. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103

/** Removes a socket that no process listens on. Checks the folder, because the system reports EACCES for a missing one. */
async function freeSocketPath(path: string): Promise<void> {
  const size = Buffer.byteLength(path)
  if (size > longestSocketPath) {
    const rule = `has ${size} bytes, and a Unix socket allows ${longestSocketPath}. Choose a shorter path`
    throw new StartError('PORT_INVALID', `The path in PORT ${rule}: ${path}`)
  }
  const folder = dirname(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StartError('PORT_INVALID', `The server cannot listen on ${path}. Create the folder ${folder}.`)
  }
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) {
    throw new StartError('PORT_INVALID', `${path} exists and is not a socket. Choose another path.`)
  }
  const client = connect({ path })
  const isInUse = await once(client, 'connect').then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ECONNREFUSED',
  )
  client.destroy()
  if (isInUse) throw pathInUse(path)
  rmSync(path, { force: true })
}
