import type { RpcCookie } from '../app/core-types.ts'

const sameSiteNames: Readonly<Record<string, string>> = { lax: 'lax', strict: 'strict', explicitNone: 'none' }

/**
 * Renders a Set-Cookie header as ASP.NET does: the value escaped, the path `/` unless the app gives one.
 *
 * @throws {TypeError} For a name, domain or path that would break out of the header.
 */
export function renderSetCookie(cookie: RpcCookie): string {
  const name = cookie.name ?? ''
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`"${name}" is not a cookie name.`)
  const parts = [`${name}=${escapeData(cookie.value ?? '')}`]
  const seconds = cookie.expires?.value?.seconds
  if (seconds !== undefined) parts.push(`expires=${new Date(seconds * 1000).toUTCString()}`)
  const maxAge = cookie.maxAge?.value
  if (maxAge !== undefined) parts.push(`max-age=${Math.trunc(maxAge)}`)
  const domain = cookie.domain?.value
  if (domain !== undefined) parts.push(`domain=${attribute(domain)}`)
  parts.push(`path=${attribute(cookie.path?.value ?? '/')}`)
  if (cookie.secure?.value === true) parts.push('secure')
  const sameSite = sameSiteNames[cookie.sameSite ?? '']
  if (sameSite !== undefined) parts.push(`samesite=${sameSite}`)
  if (cookie.httpOnly?.value === true) parts.push('httponly')
  return parts.join('; ')
}

function escapeData(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function attribute(text: string): string {
  if (!/^[\x20-\x3a\x3c-\x7e]*$/.test(text)) throw new TypeError('A cookie attribute has a character it cannot hold.')
  return text
}
