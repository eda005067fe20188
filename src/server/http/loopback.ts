import { isIPv4 } from 'node:net'

/** Whether a host name or address can only mean this machine. Names other than `localhost` are not trusted to. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  if (name === 'localhost' || name === '::1') return true
  const address = name.replace(/^::ffff:/, '')
  return isIPv4(address) && address.startsWith('127.')
}

/** The address to show for a host that listens on `hostname`. */
export function baseUrl(scheme: 'http' | 'https', hostname: string, port: number): string {
  if (hostname === '127.0.0.1') return `${scheme}://localhost:${port}`
  return `${scheme}://${hostname.includes(':') ? `[${hostname.replace(/^\[|\]$/g, '')}]` : hostname}:${port}`
}
