import { randomUUID } from 'node:crypto'
import type { Answer, EnclaveRequest } from '../http/route.ts'
import { type Blob, StorageError } from './blob-store.ts'

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

/** @param more Further elements of the error, as XML. */
export function storageError(status: number, code: string, message: string, more = ''): Answer {
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

/** Properties that a client may set, with or without the prefix `x-ms-blob-`. */
const settable = [
  'content-type',
  'content-encoding',
  'content-language',
  'content-md5',
  'cache-control',
  'content-disposition',
]

/** The first and last byte of a requested range. @throws {StorageError} 416 for a range behind the end. */
export function rangeOf(request: EnclaveRequest, length: number): readonly [number, number] | undefined {
  const text = textOf(request, 'x-ms-range') ?? textOf(request, 'range')
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? []
  if (first === undefined) return undefined
  const [start, end] = [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)]
  if (start <= end) return [start, end]
  throw new StorageError(416, 'InvalidRange', 'The range specified is invalid for the current size of the resource.')
}

/** @throws {StorageError} if the blob does not fulfill If-Match or If-None-Match. */
export function expectConditions(request: EnclaveRequest, blob: Blob | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (match !== undefined && (blob === undefined || (match !== '*' && match !== blob.etag)))
    throw new StorageError(
      412,
      'ConditionNotMet',
      'The condition specified using HTTP conditional header(s) is not met.',
    )
  if (noneMatch === undefined || blob === undefined || (noneMatch !== '*' && noneMatch !== blob.etag)) return
  if (isRead) throw new StorageError(304, 'ConditionNotMet', 'The blob has not changed.')
  throw noneMatch === '*'
    ? new StorageError(409, 'BlobAlreadyExists', 'The specified blob already exists.')
    : new StorageError(412, 'ConditionNotMet', 'The condition specified using HTTP conditional header(s) is not met.')
}

/** @param onlyPrefixed Whether the headers without prefix describe the request body. */
export function propertiesOf(request: EnclaveRequest, onlyPrefixed = false): Record<string, string> {
  return Object.fromEntries(
    settable.flatMap((name) => {
      const value = textOf(request, `x-ms-blob-${name}`) ?? (onlyPrefixed ? undefined : textOf(request, name))
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

export function metadataOf({ headers }: EnclaveRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-ms-meta-') ? [[name.slice('x-ms-meta-'.length), String(value)]] : [],
    ),
  )
}

export function textOf({ headers }: EnclaveRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
