import { get } from 'node:http'
import type { RequestOptions } from 'node:https'
import { printable } from '../../lib/base/printable.ts'
import { readSettings } from '../../lib/settings/settings.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { isPackaged } from '../is-packaged.ts'
import { readSmallFile } from '../server-options.ts'

/** Milliseconds. The service contacts no other host for this response. */
const timeout = 5000
/** Characters of a response, far above the few hundred of ours. */
const longestAnswer = 64 * 1024
const longestChain = 256 * 1024

export const command = defineCommand({
  description:
    'Requests the health of the service that "serve" runs on this machine with these settings, for containers and units. It needs no key and contacts no other host.',
  options: {},
  notes: 'Exit code: 0 healthy, 1 not healthy or no response, 2 usage or configuration error.',
  async run(_given, { print, note }) {
    const { port, listenAddress, tlsCertificatePath } = readSettings(process.env)
    const place = typeof port === 'string' ? { socketPath: port } : { port, host: reachable(listenAddress) }
    const target = { ...place, path: '/api/health', agent: false }
    const { status, text } = await ask(
      tlsCertificatePath === undefined ? target : { ...target, ...trustOnly(tlsCertificatePath) },
      tlsCertificatePath !== undefined,
    )
    print(`${printable(text)}\n`)
    if (status === 0) note(`${startHint} PORT and PLATFORM_LISTEN_ADDRESS must be those of the service`)
    return status === 200 ? exitCodes.passed : exitCodes.failed
  },
})

/** What to start if no service responds. */
const startHint = isPackaged
  ? 'Start the service with "cloud-profile serve".'
  : 'Start the service with "npm start", or with "npm run demo" to try it.'

/** An address to call for one that is listened on. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' || address === '[::]' ? '::1' : address.replace(/^\[|\]$/g, '')
}

/** The certificate is the one in the file, whatever name it is for and whoever signed it. */
function trustOnly(path: string): RequestOptions {
  const ca = readSmallFile(path, 'PLATFORM_TLS_CERTIFICATE_PATH', longestChain)
  return { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined }
}

function ask(target: RequestOptions, isSecure: boolean): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve) => {
    const send = isSecure ? process.getBuiltinModule('node:https').get : get
    const fail = ({ message }: Error) => resolve({ status: 0, text: message })
    const request = send(target, (response) => {
      let text = ''
      response.once('error', fail)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.length > longestAnswer) response.destroy(new Error('The response does not come from this service'))
      })
    })
    request.once('error', fail)
    setTimeout(() => request.destroy(new Error(`No answer within ${timeout} ms`)), timeout).unref()
  })
}
