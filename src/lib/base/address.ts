// A cold start doesn't load `node:net`, so this file does without `isIP`.

const ipv4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/

/** A URL's hostname as sockets and certificates spell it: IPv6 without brackets, and a zone after `%`, which a URL writes as `%25` (RFC 6874). */
export function withoutBrackets(hostname: string): string {
  const [, address] = /^\[(.*)\]$/.exec(hostname) ?? []
  return address?.replace(/%25(?=.)/, '%') ?? hostname
}

/** Converts a host to the form that a URL uses: a text with two colons is an IPv6 address and gets brackets. */
export function withBrackets(host: string): string {
  return /^[^[\]:]*:[^[\]:]*:[^[\]]*$/.test(host) ? `[${host}]` : host
}

/** An IPv6 address, with or without brackets, as a URL spells it and without its zone. `undefined` for any other text. */
export function canonicalIPv6(text: string): string | undefined {
  const [address = ''] = withoutBrackets(text).split('%')
  return /^[\da-f:.]+$/i.test(address) ? URL.parse(`http://[${address}]`)?.hostname : undefined
}

/** Whether a text is a valid IP address or could be a name. */
export function isAddressOrName(text: string): boolean {
  const [address = ''] = text.split(/%(?=[\dA-Za-z.:-]+$)/, 1)
  if (text.includes(':')) return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`)
  return !/^[\d.]+$/.test(text) || (/\d$/.test(text) && URL.parse(`http://${text}`)?.hostname === text)
}

export function hostnameOf({ hostname }: URL): string {
  return withoutBrackets(hostname)
}

/** The port of a URL, or the default port of its scheme. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port)
}

/** Parses a remote text. Only http and https URLs have an origin that can be compared and shown. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

export function isAddress(url: URL): boolean {
  return url.hostname.startsWith('[') || ipv4.test(url.hostname)
}

/** Whether a host can only mean this machine, so that requests to it need neither proxy nor TLS. Other names than `localhost` can mean anything. */
export function isLoopback(hostname: string): boolean {
  const name = withoutBrackets(hostname.toLowerCase())
  if (name === 'localhost' || name === '::1') return true
  const address = name.replace(/^::ffff:/, '')
  return ipv4.test(address) && address.startsWith('127.')
}

/** Removes the final slashes. The text may come from another system, so this takes linear time. */
export function withoutFinalSlashes(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** Whether two addresses are equal, regardless of the host's letter case, a default port and final slashes. */
export function equalUrls(one: string, other: string): boolean {
  return normalizeUrl(one) === normalizeUrl(other)
}

/** Spells a URL as the parser does, and removes final slashes. Any other text only loses its final slashes. */
export function normalizeUrl(value: string): string {
  return withoutFinalSlashes(URL.canParse(value) ? new URL(value).href : value)
}
