import { ClientRequest, OutgoingMessage } from 'node:http'
import type { KnownSecret } from './leak-detector.ts'

/** Fields of a request or a response, in a form or in JSON, that only the receiver may read. */
const secretFields =
  /(access_token|refresh_token|id_token|device_code|client_assertion|client_secret|assertion|password)(?:=|"\s*:\s*")([^"&\s\\<]{8,})/g

/** Headers of a request that only the receiver may read. */
const secretHeaders = ['authorization', 'x-identity-header', 'x-functions-key', 'cookie'] as const

/** Collects every secret that this process sends over HTTP from now on, as client or server. Half of one, as some faults send, counts as well. */
export function collectWireSecrets(): { readonly secrets: readonly KnownSecret[]; restore(): void } {
  const secrets = new Map<string, KnownSecret>()
  const add = (name: string, value: string) => secrets.set(value, { name, value })
  const readBody = (chunk: unknown) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes = Buffer.from(chunk as string)
    for (const text of [bytes.toString('utf8'), bytes.toString('utf16le')]) {
      for (const [, name = '', value = ''] of text.matchAll(secretFields)) {
        add(name, value)
        add(name, new URLSearchParams(`value=${value}`).get('value') ?? value)
      }
    }
  }
  const readHeaders = (message: OutgoingMessage) => {
    if (!(message instanceof ClientRequest)) return
    for (const name of secretHeaders) {
      const value = message.getHeader(name)
      if (value !== undefined) add(`${name} header`, String(value).replace(/^\w+ /, ''))
    }
  }
  // Patched by hand: a spy would keep every chunk that was ever sent.
  const methods = ['write', 'end'] as const
  const originals = methods.map((method) => Reflect.get(OutgoingMessage.prototype, method) as AnyMethod)
  for (const [index, method] of methods.entries()) {
    const record = function record(this: OutgoingMessage, ...args: unknown[]): unknown {
      readHeaders(this)
      readBody(args[0])
      return Reflect.apply(originals[index] ?? record, this, args)
    }
    Reflect.set(OutgoingMessage.prototype, method, record)
  }
  return {
    get secrets() {
      return [...secrets.values()]
    },
    restore() {
      for (const [index, method] of methods.entries()) Reflect.set(OutgoingMessage.prototype, method, originals[index])
    },
  }
}

type AnyMethod = (...args: unknown[]) => unknown
