import { once } from 'node:events'
import { lstatSync, rmSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect, isIP } from 'node:net'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'

import { withoutBrackets } from '../../lib/base/address.ts'
import { errorCode } from '../../lib/base/error-code.ts'
import { StartError, messageOf } from '../start-error.ts'

/** @throws {StartError} `PORT_INVALID` unless the port is a path, or a whole number from 0 (any free port) to 65535. */
export function checkPort(port: number | string): void {
  if (typeof port === 'string') return
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw new StartError('PORT_INVALID', `Port ${port} is not valid: use a whole number from 1 to 65535, or 0 for any.`)
}

/** The replacement for an address that this machine lacks, with the same reach. A kernel without IPv6 has no `::`, some networks no 127.0.0.1. */
const substitutes: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::': '0.0.0.0' }
const missing: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])
/** Connections that the system keeps until they are accepted. Beyond them it drops those of probes too, which then come a second later. */
const backlog = 2048

/**
 * Opens the server's port. `::` accepts IPv4 too, where the machine has it.
 *
 * @returns The port it listens on.
 * @throws {StartError} `PORT_IN_USE` or `ADDRESS_UNAVAILABLE`, naming the port and what to do.
 */
export async function listen(server: Server, port: number, hostname: string): Promise<number> {
  const first = withoutBrackets(hostname)
  const second = substitutes[first]
  try {
    return await open(server, port, first)
  } catch (error) {
    if (second === undefined || !missing.has(errorCode(error) ?? '')) throw explain(error, port, hostname)
  }
  return open(server, port, second).catch((error: unknown) => {
    throw explain(error, port, `${first} or ${second}`)
  })
}

async function open(server: Server, port: number, host: string): Promise<number> {
  const listening = once(server, 'listening')
  server.listen({ port, host, backlog })
  await listening
  return (server.address() as AddressInfo).port
}

/**
 * Listens on a Unix socket, which the user and group of this process may use, or on a named pipe of Windows. A socket that nobody
 * listens on any more is replaced.
 *
 * @throws {StartError} `PORT_IN_USE` or `PORT_INVALID`, naming the path.
 */
export async function listenOnPath(server: Server, path: string): Promise<void> {
  const isPipe = path.startsWith('\\\\')
  if (!isPipe) {
    checkSocketPath(path)
    await removeStaleSocket(path)
  }
  const listening = once(server, 'listening')
  // From the first moment on: a change of the mode afterwards would come too late.
  const before = isPipe ? undefined : process.umask(0o117)
  try {
    server.listen({ path })
  } finally {
    if (before !== undefined) process.umask(before)
  }
  await listening.catch((error: unknown) => {
    const code = errorCode(error) === 'EADDRINUSE' ? 'PORT_IN_USE' : 'PORT_INVALID'
    throw new StartError(code, `The server cannot listen on ${path}: ${messageOf(error)}.`, { cause: error })
  })
}

/** Bytes of the path of a Unix socket: `sun_path` without its final zero. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103

/** The system's own codes name another reason for a missing folder (EACCES), and none for a long path (EINVAL). */
function checkSocketPath(path: string): void {
  const size = Buffer.byteLength(path)
  if (size > longestSocketPath) {
    const message = `The path of PORT has ${size} bytes, and a Unix socket takes ${longestSocketPath}. Choose a shorter path: ${path}`
    throw new StartError('PORT_INVALID', message)
  }
  const folder = dirname(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StartError('PORT_INVALID', `The server cannot listen on ${path}: ${folder} is not a folder. Create it.`)
  }
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket())
    throw new StartError('PORT_INVALID', `${path} exists and is not a socket. Choose another path.`)
  const client = connect({ path })
  const isInUse = await once(client, 'connect').then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ECONNREFUSED',
  )
  client.destroy()
  if (isInUse)
    throw new StartError('PORT_IN_USE', `Another process listens on ${path}. Stop it, or choose another path.`)
  rmSync(path)
}

function explain(error: unknown, port: number, hostname: string): StartError {
  const options = { cause: error }
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartError(
        'PORT_IN_USE',
        `Port ${port} of ${hostname} is in use by another process. Stop that process, or choose another port.`,
        options,
      )
    case 'EACCES':
      return new StartError(
        'PORT_INVALID',
        `Port ${port} needs rights that this process lacks: use one above 1023.`,
        options,
      )
    default:
      return new StartError(
        'ADDRESS_UNAVAILABLE',
        `The server cannot listen on ${hostname}, port ${port}: ${messageOf(error)}. Use an address of this machine.`,
        options,
      )
  }
}

/** The host that a server listens on: the given name, or the address, which may stand in for the given one. */
export function boundHost(server: Server, hostname: string): string {
  return isIP(withoutBrackets(hostname)) === 0 ? hostname : (server.address() as AddressInfo).address
}

/** The address to show for a server that listens on `hostname`. */
export function baseUrl(scheme: 'http' | 'https', hostname: string, port: number): string {
  if (hostname === '127.0.0.1') return `${scheme}://localhost:${port}`
  const address = withoutBrackets(hostname)
  return `${scheme}://${address.includes(':') ? `[${address.replace('%', '%25')}]` : hostname}:${port}`
}
