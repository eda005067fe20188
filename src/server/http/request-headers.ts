import type { Nullable } from '../../emulator/core-types.ts'

/** A map of the worker's protocol. It has no prototype: a key may be any text, `__proto__` too. */
export type NullableMap = Record<string, Nullable<string>>

export type RequestHeaders = NullableMap

export function createNullableMap(): NullableMap {
  return Object.create(null) as NullableMap
}

/** As many headers as the real host's server accepts. */
const maxHeaders = 100

/**
 * Names in lower case, repeated headers joined by a comma, as the Functions host passes them on.
 *
 * @param raw Names and values in turn, as Node received them.
 * @returns `undefined` when there are more than 100: answer 431.
 */
export function readHeaders(raw: readonly string[]): RequestHeaders | undefined {
  if (raw.length > maxHeaders * 2) return undefined
  const headers = createNullableMap()
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const value = raw[index + 1] ?? ''
    const existing = headers[name]?.value
    headers[name] = { value: existing === undefined ? value : `${existing},${value}` }
  }
  return headers
}
