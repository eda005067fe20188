import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { HostError, messageOf } from '../errors.ts'

/** @throws {HostError} `PORT_INVALID` unless the port is a whole number from 0 (any free port) to 65535. */
export function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw new HostError('PORT_INVALID', `Port ${port} is not valid: use a whole number from 1 to 65535, or 0 for any.`)
}

/**
 * Opens the server's port.
 *
 * @returns The port it listens on.
 * @throws {HostError} `PORT_IN_USE` or `ADDRESS_UNAVAILABLE`, naming the port and what to do.
 */
export function listen(server: Server, port: number, hostname: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explain(error, port, hostname))
    server.once('error', onError)
    server.listen({ port, host: hostname.replace(/^\[|\]$/g, '') }, () => {
      server.off('error', onError)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function explain(error: NodeJS.ErrnoException, port: number, hostname: string): HostError {
  const options = { cause: error }
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new HostError(
        'PORT_IN_USE',
        `Port ${port} of ${hostname} is in use by another process. Stop that process, or choose another port.`,
        options,
      )
    case 'EACCES':
      return new HostError(
        'PORT_INVALID',
        `Port ${port} needs rights that this process lacks: use one above 1023.`,
        options,
      )
    default:
      return new HostError(
        'ADDRESS_UNAVAILABLE',
        `The host cannot listen on ${hostname}, port ${port}: ${messageOf(error)}. Use an address of this machine.`,
        options,
      )
  }
}
