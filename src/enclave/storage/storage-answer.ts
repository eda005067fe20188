import { randomUUID } from 'node:crypto'
import type { Answer } from '../http/answer.ts'
import { StorageError } from './blob-store.ts'

const version = { 'x-ms-version': '2025-01-05' }

export function xml(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml', ...version, ...headers },
    body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
  }
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...version, ...headers }, body: '' }
}

export function storageError(status: number, code: string, message: string, detail = ''): Answer {
  const more = detail && `<AuthenticationErrorDetail>${detail}</AuthenticationErrorDetail>`
  const text = `${escapeXml(message)}\nRequestId:${randomUUID()}`
  return xml(status, `<Error><Code>${code}</Code><Message>${text}</Message>${more}</Error>`, {
    'x-ms-error-code': code,
  })
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function headersOf({
  etag,
  modifiedAt,
}: {
  readonly etag: string
  readonly modifiedAt: number
}): Record<string, string> {
  return { etag, 'last-modified': new Date(modifiedAt).toUTCString() }
}

export function unsupported(operation: string): StorageError {
  const supported = 'containers, block blobs, block lists, ranges, metadata, properties and leases'
  return new StorageError(
    501,
    'NotImplemented',
    `The enclave does not support ${operation}. Its storage has ${supported}.`,
  )
}
