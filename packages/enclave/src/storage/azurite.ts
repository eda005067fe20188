import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { refusal } from '../http/exchange.ts'
import type { ProtectedHandler } from '../protect.ts'

/** The account that every azurite has, and its published key. https://learn.microsoft.com/azure/storage/common/storage-connect-azurite */
const account = 'devstoreaccount1'
const key = Buffer.from(
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'base64',
)

/** Azurite's services listen on successive ports. */
const services = ['blob', 'queue', 'table']

/** Headers of a connection or a credential. */
const own: ReadonlySet<string> = new Set(['authorization', 'connection', 'host', 'keep-alive', 'transfer-encoding'])

/** A shared access signature for all operations of the account, until in a year. */
function sharedAccessSignature(): URLSearchParams {
  const fields = { sp: 'rwdxlacuptf', ss: 'bqt', srt: 'sco', st: '', se: '', sip: '', spr: '', sv: '2019-12-12' }
  fields.se = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString().replace(/\.\d+/, '')
  const sig = createHmac('sha256', key)
    .update([account, ...Object.values(fields), ''].join('\n'))
    .digest('base64')
  return new URLSearchParams(Object.entries({ ...fields, sig }).filter(([, value]) => value !== ''))
}

/**
 * Forwards checked requests to a running azurite, which has all that a storage account has.
 *
 * @param address Of its blob service, such as `http://127.0.0.1:10000`.
 */
export function forwardToAzurite(address: string): ProtectedHandler {
  const { hostname, port } = new URL(address)
  const signature = sharedAccessSignature().toString()
  return async ({ method, path, query, headers, body }, { origin }) => {
    const service = Math.max(0, services.indexOf(new URL(origin).hostname.split('.')[1] ?? ''))
    const target = { hostname, port: Number(port) + service }
    const given = Object.entries(headers).filter(([name]) => !own.has(name))
    // A copy within the account names the address that the client knows.
    const local = (value: unknown) => String(value).replace(`${origin}/`, `http://${hostname}:${port}/${account}/`)
    const forwarded = send({
      ...target,
      method,
      path: `/${account}${path}?${[query.toString().replaceAll('+', '%20'), signature].filter(Boolean).join('&')}`,
      headers: Object.fromEntries(
        given.map(([name, value]) => [name, name === 'x-ms-copy-source' ? local(value) : value]),
      ),
    })
    forwarded.end(body)
    const response = await once(forwarded, 'response').then(
      ([answer]) => answer as IncomingMessage,
      (error: unknown) => error as NodeJS.ErrnoException,
    )
    if (response instanceof Error) {
      const message = `azurite did not respond at ${hostname}:${target.port} (${response.code}).`
      return refusal('storage', 502, 'AzuriteUnreachable', message)
    }
    const answered = Object.entries(response.headers).filter(([name]) => !own.has(name) && name !== 'date')
    return {
      status: response.statusCode ?? 502,
      headers: Object.fromEntries(answered.map(([name, value]) => [name, String(value)])),
      body: await buffer(response),
    }
  }
}
