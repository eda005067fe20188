/** By name in lower case. It has no prototype: a name may be any text, `__proto__` too. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** As many headers as the Functions host accepts. */
const maxHeaders = 100

/**
 * Names in lower case, repeated headers joined by a comma, as the Functions host passes them on.
 *
 * @param raw Names and values in turn, as Node received them.
 * @returns `undefined` when there are more than 100: answer 431.
 */
export function readHeaders(raw: readonly string[]): RequestHeaders | undefined {
  if (raw.length > maxHeaders * 2) return undefined
  const headers = Object.create(null) as Record<string, string>
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const value = raw[index + 1] ?? ''
    const existing = headers[name]
    headers[name] = existing === undefined ? value : `${existing},${value}`
  }
  return headers
}
