import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { delimiter, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { EnclaveError } from '../enclave-error.ts'
import { refusal, type Handler } from '../http/exchange.ts'

/** The default account of azurite and its public key: https://learn.microsoft.com/azure/storage/common/storage-connect-azurite */
const account = 'devstoreaccount1'
const key = Buffer.from(
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'base64',
)

const services = ['blob', 'queue', 'table'] as const

export type AzuriteAddresses = Readonly<Record<(typeof services)[number], URL>>

export interface Azurite {
  readonly addresses: AzuriteAddresses | undefined
  /** Has no effect if the enclave didn't start azurite. */
  readonly stop: () => void
}

/** @param given The address of a running blob service, `true` to start azurite, or `undefined` for no azurite. */
export async function openAzurite(given: string | true | undefined): Promise<Azurite> {
  if (given === true) return startAzurite()
  const at = (offset: number) => {
    const url = new URL(given ?? '')
    url.port = String(Number(url.port) + offset)
    return url
  }
  return { addresses: given === undefined ? undefined : { blob: at(0), queue: at(1), table: at(2) }, stop: () => {} }
}

/**
 * Starts an installed azurite in memory, on free ports.
 *
 * @throws {EnclaveError} if it is not installed or does not start.
 */
async function startAzurite(): Promise<Azurite> {
  const ports = services.flatMap((service) => [`--${service}Port`, '0'])
  const options = ['--inMemoryPersistence', '--disableTelemetry', '--skipApiVersionCheck', ...ports]
  const path = [process.env['PATH'], resolve('node_modules/.bin')].filter(Boolean).join(delimiter)
  const child = spawn('azurite', options, { env: { ...process.env, PATH: path }, stdio: ['ignore', 'pipe', 'ignore'] })
  const stop = () => void child.kill()
  process.once('exit', stop)
  const ended = once(child, 'exit').then(
    ([code]) => `ended with exit code ${code}`,
    ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' ? 'is not installed' : `did not start (${code})`),
  )
  const found = new Map<string, URL>()
  const readAddresses = async () => {
    for await (const line of createInterface(child.stdout)) {
      const [, name = '', url = ''] = /^Azurite (\w+) service is successfully listening at (\S+)/.exec(line) ?? []
      if (URL.canParse(url)) found.set(name.toLowerCase(), new URL(url))
      if (found.size === services.length) return undefined
    }
    return ended
  }
  const reason = await Promise.race([ended, readAddresses()])
  if (reason !== undefined)
    throw new EnclaveError(`azurite ${reason}. Install it, or leave --azurite (azurite: true) out`)
  // Discards later output, which would fill the pipe.
  child.stdout.resume()
  return { addresses: Object.fromEntries(found) as AzuriteAddresses, stop }
}

/** Headers of a connection or a credential, which are not forwarded. */
const notForwarded = new Set(['authorization', 'connection', 'host', 'keep-alive', 'transfer-encoding'])

/** A shared access signature for all operations of the account, valid for a year. */
function sharedAccessSignature(): URLSearchParams {
  const fields = { sp: 'rwdxlacuptf', ss: 'bqt', srt: 'sco', st: '', se: '', sip: '', spr: '', sv: '2019-12-12' }
  fields.se = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString().replace(/\.\d+/, '')
  const sig = createHmac('sha256', key)
    .update([account, ...Object.values(fields), ''].join('\n'))
    .digest('base64')
  return new URLSearchParams(Object.entries({ ...fields, sig }).filter(([, value]) => value !== ''))
}

/** Forwards checked requests to azurite. It supports all of a storage account except the file system. */
export function forwardToAzurite(addresses: AzuriteAddresses): Handler {
  const signature = sharedAccessSignature().toString()
  return async ({ method, path, query, headers, body, origin }) => {
    const service = new URL(origin).hostname.split('.')[1]
    const { hostname, port } = addresses[services.find((each) => each === service) ?? 'blob']
    const given = Object.entries(headers).filter(([name]) => !notForwarded.has(name))
    // The source of a copy within the account is an address of the enclave.
    const toLocal = (value: unknown) => String(value).replace(`${origin}/`, `${addresses.blob.origin}/${account}/`)
    const forwarded = send({
      hostname,
      port,
      method,
      path: `/${account}${path}?${[query.toString().replaceAll('+', '%20'), signature].filter(Boolean).join('&')}`,
      headers: Object.fromEntries(
        given.map(([name, value]) => [name, name === 'x-ms-copy-source' ? toLocal(value) : value]),
      ),
    })
    forwarded.end(body)
    const response = await once(forwarded, 'response').then(
      ([received]) => received as IncomingMessage,
      (error: unknown) => error as NodeJS.ErrnoException,
    )
    if (response instanceof Error) {
      const message = `azurite did not respond at ${hostname}:${port} (${response.code}).`
      return refusal('storage', 502, 'AzuriteUnreachable', message)
    }
    const returned = Object.entries(response.headers).filter(([name]) => !notForwarded.has(name) && name !== 'date')
    return {
      status: response.statusCode ?? 502,
      headers: Object.fromEntries(returned.map(([name, value]) => [name, String(value)])),
      body: await buffer(response),
    }
  }
}
