import { randomUUID } from 'node:crypto'

/** The parts of the enclave, each on its own loopback port. The profile does not name `foreign`. */
export type Role =
  | 'login'
  | 'resource-manager'
  | 'vault'
  | 'storage'
  | 'graph'
  | 'registry'
  | 'managed-identity'
  | 'foreign'

/** The answer of a route, as data that a fault can change. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** How a fault sends it. Default is as a whole. */
  readonly transfer?: Transfer
}

/** Not at all, half of it before the connection breaks, byte after byte with so many milliseconds between them, or without an end. */
export type Transfer = 'silent' | 'reset' | 'truncated' | 'endless' | { readonly everyMilliseconds: number }

type Headers = Readonly<Record<string, string>>

export function json(status: number, value: unknown, headers: Headers = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  }
}

export function html(status: number, body: string, headers: Headers = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body,
  }
}

const storageVersion = { 'x-ms-version': '2025-01-05' }

/** An answer of the storage account without a body. */
export function empty(status: number, headers: Headers = {}): Answer {
  return { status, headers: { ...storageVersion, ...headers }, body: '' }
}

/** A document of the storage account. */
export function xml(status: number, body: string, headers: Headers = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml', ...storageVersion, ...headers },
    body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
  }
}

/** One XML element for each name. */
export function elements(rows: Readonly<Record<string, string>>): string {
  return Object.entries(rows)
    .map(([name, value]) => `<${name}>${escapeMarkup(value)}</${name}>`)
    .join('')
}

/** Text in XML or HTML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Status, code, message and further details of a refusal. */
export type ErrorText = readonly [status: number, code: string, message: string, details?: Headers]

/** A refusal in the format of the role. */
export function refusal(role: Role, ...[status, code, message, details]: ErrorText): Answer {
  if (role !== 'storage') return json(status, { error: { code, message, ...(details && { innererror: details }) } })
  const rows = { Code: code, Message: `${message}\nRequestId:${randomUUID()}`, ...details }
  return xml(status, `<Error>${elements(rows)}</Error>`, { 'x-ms-error-code': code })
}
