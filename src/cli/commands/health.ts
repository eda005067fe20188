import { get } from 'node:http'
import type { RequestOptions } from 'node:https'
import { withoutBrackets } from '../../lib/base/address.ts'
import { errorCode } from '../../lib/base/files.ts'
import { parseJson, valueAt } from '../../lib/base/json.ts'
import { printable } from '../../lib/base/printable.ts'
import { readSettings } from '../../lib/settings/settings.ts'
import { defineCommand, exitCodes } from '../command.ts'
import { isPackaged } from '../app-directory.ts'

/** Milliseconds. Five seconds are enough, because the service contacts no other host for this response. */
const timeout = 5000
/** Connection errors of an address where nothing listens. */
const refusals: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'])
/** Characters of a response. The service sends a few hundred. */
const longestResponse = 64 * 1024

export const command = defineCommand({
  description:
    'Requests the health of the service that "serve" runs on this machine with the same settings, for containers and systemd units. Needs no key, and contacts no other host.',
  options: {},
  notes: 'Exit code: 0 healthy, 1 not healthy or no response, 2 usage or configuration error.',
  async run(_given, { print, note }) {
    const { port, listenAddress, tlsCertificatePath } = readSettings(process.env)
    const places: readonly RequestOptions[] =
      typeof port === 'string' ? [{ socketPath: port }] : addressesOf(listenAddress).map((host) => ({ port, host }))
    const secure = tlsCertificatePath === undefined ? undefined : anyCertificate
    const outcomes: Outcome[] = []
    for (const place of places) {
      outcomes.push(await send({ ...place, ...secure, ...request }, secure !== undefined))
      if (outcomes.at(-1)?.isRefused !== true) break
    }
    const refused = { status: 0, text: outcomes.map(({ text }) => text).join('; ') }
    const { status, text } = outcomes.find(({ isRefused }) => !isRefused) ?? refused
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

/**
 * The certificate isn't checked, because the request has no secret, and a renewed file may be newer than the certificate that the server
 * still uses. The content of the response is checked instead.
 */
const anyCertificate: RequestOptions = { rejectUnauthorized: false }

/** The host header must not have the zone of a link-local address: no URL can contain it. */
const request: RequestOptions = { path: '/api/health', agent: false, headers: { host: 'localhost' } }

const foreign = 'The response does not come from this service'

/** A response, or an error with status 0. */
interface Outcome {
  readonly status: number
  readonly text: string
  /** Whether nothing listens there. The service may listen on the other address family. */
  readonly isRefused?: boolean
}

/** Addresses to call for a listen address. The second one is for a machine without the first one's address family. */
const callableAddresses: Readonly<Record<string, readonly string[]>> = {
  '::': ['::1', '127.0.0.1'],
  '0.0.0.0': ['127.0.0.1'],
  '127.0.0.1': ['127.0.0.1', '::1'],
}

function addressesOf(address: string): readonly string[] {
  const host = withoutBrackets(address)
  return callableAddresses[host] ?? [host]
}

async function send(target: RequestOptions, isSecure: boolean): Promise<Outcome> {
  const start = isSecure ? (await import('node:https')).get : get
  return new Promise((resolve) => {
    const fail = (error: Error) =>
      resolve({ status: 0, text: error.message, isRefused: refusals.has(errorCode(error) ?? '') })
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
