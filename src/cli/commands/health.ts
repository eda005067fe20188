import { get } from 'node:http'
import type { RequestOptions } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { withoutBrackets } from '../../lib/base/address.ts'
import { parseJson, valueAt } from '../../lib/base/json.ts'
import { printable } from '../../lib/base/printable.ts'
import { readSettings } from '../../lib/settings/settings.ts'
import { defineCommand, exitCodes } from '../command.ts'
import { isPackaged } from '../app-directory.ts'

/** Milliseconds. Five seconds are enough, because the service contacts no other host for this response. */
const timeout = 5000
/** Characters of a response. The service sends a few hundred. */
const longestResponse = 64 * 1024

export const command = defineCommand({
  description:
    'Requests the health of the service that "serve" runs on this machine with the same settings, for containers and systemd units. Needs no key, and contacts no other host.',
  options: {},
  notes: 'Exit code: 0 healthy, 1 not healthy or no response, 2 usage or configuration error.',
  async run(_given, { print, note }) {
    const { port, listenAddress, tlsCertificatePath } = readSettings(process.env)
    const host = withoutBrackets(listenAddress)
    const where = ['127.0.0.1', '0.0.0.0', '::'].includes(host) ? loopback : { host }
    const place = typeof port === 'string' ? { socketPath: port } : { port, ...where }
    const { status, text } = await send({ ...place, ...request }, tlsCertificatePath !== undefined)
    // Another program on this port may respond to every path with 200.
    const isForeign = status === 200 && !['pass', 'warn'].includes(String(valueAt(parseJson(text), 'status')))
    if (isForeign) note(foreign)
    if (status === 0 || isForeign) note(`${startHint} Use the service's PORT and PLATFORM_LISTEN_ADDRESS`)
    print(`${printable(text)}\n`)
    return status === 200 && !isForeign ? exitCodes.passed : exitCodes.failed
  },
})

const startHint = isPackaged
  ? 'Start the service with "cloud-profile serve".'
  : 'Start the service with "npm start", or with "npm run demo" to try it.'

const request: RequestOptions = {
  path: '/api/health',
  agent: false,
  // Not the zone of a link-local address: no URL can contain it.
  headers: { host: 'localhost' },
  // The request has no secret, and a renewed file may be newer than the server's certificate. The content of the response is checked instead.
  rejectUnauthorized: false,
}

const foreign = 'The response does not come from this service'

const addresses = ['127.0.0.1', '::1'].map((address) => ({ address, family: isIP(address) }))
const lookup: LookupFunction = (_host, _options, done) => done(null, addresses)

/** On a machine without one address family, the service listens on the other. */
const loopback = { host: 'localhost', lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: timeout }

/** Resolves with the response, or with an error and status 0. */
async function send(target: RequestOptions, isSecure: boolean): Promise<{ status: number; text: string }> {
  const start = isSecure ? (await import('node:https')).get : get
  return new Promise((resolve) => {
    const fail = (error: Error) => {
      const errors = error instanceof AggregateError ? (error.errors as readonly Error[]) : [error]
      resolve({ status: 0, text: errors.map(({ message }) => message).join('; ') })
    }
    const request = start(target, (response) => {
      let text = ''
      response.once('error', fail)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.length > longestResponse) response.destroy(new Error(foreign))
      })
    })
    request.once('error', fail)
    setTimeout(() => request.destroy(new Error(`No response within ${timeout} ms`)), timeout).unref()
  })
}
