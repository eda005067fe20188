import type { EnclaveRequest } from '../http/route.ts'
import { StorageError, type Blob } from './blob-store.ts'

export function headersOf({ etag, modifiedAt }: Pick<Blob, 'etag' | 'modifiedAt'>): Record<string, string> {
  return { etag, 'last-modified': new Date(modifiedAt).toUTCString() }
}

export function textOf({ headers }: EnclaveRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The first and last byte of a requested range. @throws {StorageError} 416 for a range behind the end. */
export function rangeOf(request: EnclaveRequest, length: number): readonly [number, number] | undefined {
  const text = textOf(request, 'x-ms-range') ?? textOf(request, 'range')
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? []
  if (first === undefined) return undefined
  const [start, end] = [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)]
  if (start <= end) return [start, end]
  throw new StorageError('InvalidRange')
}

/** @throws {StorageError} if the blob does not fulfill If-Match or If-None-Match. */
export function expectConditions({ method, headers }: EnclaveRequest, blob: Blob | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match !== undefined && (blob === undefined || (match !== '*' && match !== blob.etag)))
    throw new StorageError('ConditionNotMet')
  if (noneMatch === undefined || blob === undefined || (noneMatch !== '*' && noneMatch !== blob.etag)) return
  if (method === 'GET' || method === 'HEAD') throw new StorageError('ConditionNotMet', 'The blob has not changed.', 304)
  throw new StorageError(noneMatch === '*' ? 'BlobAlreadyExists' : 'ConditionNotMet')
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

/** @param onlyPrefixed Whether the headers without prefix describe the request body. */
export function propertiesOf(request: EnclaveRequest, onlyPrefixed = false): Record<string, string> {
  return Object.fromEntries(
    settable.flatMap((name) => {
      const value = textOf(request, `x-ms-blob-${name}`) ?? (onlyPrefixed ? undefined : textOf(request, name))
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
