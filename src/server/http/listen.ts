import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { withoutBrackets } from '../../lib/base/address.ts'
import { StartError, messageOf } from '../start-error.ts'

/** @throws {StartError} `PORT_INVALID` unless the port is a whole number from 0 (any free port) to 65535. */
export function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw new StartError('PORT_INVALID', `Port ${port} is not valid: use a whole number from 1 to 65535, or 0 for any.`)
}

/**
 * Opens the server's port.
 *
 * @returns The port it listens on.
 * @throws {StartError} `PORT_IN_USE` or `ADDRESS_UNAVAILABLE`, naming the port and what to do.
 */
export function listen(server: Server, port: number, hostname: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explain(error, port, hostname))
    server.once('error', onError)
    server.listen({ port, host: withoutBrackets(hostname) }, () => {
      server.off('error', onError)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function explain(error: NodeJS.ErrnoException, port: number, hostname: string): StartError {
  const options = { cause: error }
  switch (error.code ?? '') {
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

/** The address to show for a server that listens on `hostname`. */
export function baseUrl(scheme: 'http' | 'https', hostname: string, port: number): string {
  if (hostname === '127.0.0.1') return `${scheme}://localhost:${port}`
  return `${scheme}://${hostname.includes(':') ? `[${withoutBrackets(hostname)}]` : hostname}:${port}`
}
