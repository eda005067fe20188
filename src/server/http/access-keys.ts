import { createHash, timingSafeEqual } from 'node:crypto'

import type { RequestHeaders } from './request-headers.ts'

/**
 * Whether a request carries the server's key: in the `x-functions-key` header, else in the query's `code`, as in the Functions host.
 * Else as a bearer token, which the Functions host lacks: it is the only secret that a monitor of Prometheus's operator can send.
 */
export type KeyCheck = (headers: RequestHeaders, search: string) => boolean

/** `undefined` stands for no enforcement, as under `func start`. */
export function createKeyCheck(key: string | undefined): KeyCheck {
  if (key === undefined) return () => true
  const expected = digest(key)
  return (headers, search) => {
    const given = headers['x-functions-key'] ?? new URLSearchParams(search).get('code') ?? readBearer(headers)
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

function readBearer(headers: RequestHeaders): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
}

/** Digests are of one length, so that comparing them shows neither the key's length nor its content. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
