const longest = 120

/** A value as it may stand in a message: quoted, on one line, shortened, without a URL's user information or query. */
export function showValue(value: unknown): string {
  if (typeof value !== 'string')
    return Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
  const safe = value.replace(/(:\/\/)[^/?#]*@/, '$1[redacted]@').replace(/\?.*$/s, '?[redacted]')
  return JSON.stringify(safe.length > longest ? `${safe.slice(0, longest)}…` : safe)
}
