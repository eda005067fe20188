import { withoutBrackets } from '../../lib/base/address.ts'

/** The address to show for a host that listens on `hostname`. */
export function baseUrl(scheme: 'http' | 'https', hostname: string, port: number): string {
  if (hostname === '127.0.0.1') return `${scheme}://localhost:${port}`
  return `${scheme}://${hostname.includes(':') ? `[${withoutBrackets(hostname)}]` : hostname}:${port}`
}
