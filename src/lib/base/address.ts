// Without `node:net`, which no cold start loads.

const ipv4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/

/**
 * A host in the form of sockets and certificates. A URL keeps the brackets of an IPv6 address, and writes the `%` before its zone as `%25`
 * (https://www.rfc-editor.org/rfc/rfc6874).
 */
export function withoutBrackets(hostname: string): string {
  const [, address] = /^\[(.*)\]$/.exec(hostname) ?? []
  return address?.replace(/%25(?=.)/, '%') ?? hostname
}

/** A host in the form of a URL. A text with two colons is an IPv6 address and gets brackets. */
export function withBrackets(host: string): string {
  return /^[^[\]:]*:[^[\]:]*:[^[\]]*$/.test(host) ? `[${host}]` : host
}

/**
 * An IPv6 address, with or without brackets, in the one spelling of a URL, without its zone, which a URL can't contain; `undefined` for anything else.
 */
export function canonicalIPv6(text: string): string | undefined {
  const [address = ''] = withoutBrackets(text).split('%')
  return /^[\da-f:.]+$/i.test(address) ? URL.parse(`http://[${address}]`)?.hostname : undefined
}

/** Whether a text is an IP address, or may be a name. */
export function isAddressOrName(text: string): boolean {
  const [address = ''] = text.split(/%(?=[\dA-Za-z.:-]+$)/, 1)
  if (text.includes(':')) return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`)
  return !/^[\d.]+$/.test(text) || (/\d$/.test(text) && URL.parse(`http://${text}`)?.hostname === text)
}

/** The name or address that a URL names. */
export function hostnameOf({ hostname }: URL): string {
  return withoutBrackets(hostname)
}

/** The port that a URL names, or the one of its scheme. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port)
}

/** A remote text as an http or https URL. Other schemes have no origin that could be compared or shown. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Whether a URL names an IP address. */
export function isAddress(url: URL): boolean {
  return url.hostname.startsWith('[') || ipv4.test(url.hostname)
}

/**
 * Whether a host name or address, with or without brackets, can only mean this machine. Requests to it never leave the machine, so they
 * need neither a proxy nor TLS. Other names than `localhost` may resolve to anything.
 */
export function isLoopback(hostname: string): boolean {
  const name = withoutBrackets(hostname.toLowerCase())
  if (name === 'localhost' || name === '::1') return true
  const address = name.replace(/^::ffff:/, '')
  return ipv4.test(address) && address.startsWith('127.')
}

/** Removes the final slashes, in linear time, because the text may come from another system. */
export function withoutFinalSlashes(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** Whether two addresses are the same: letter case of the host, a default port and final slashes do not matter. */
export function equalUrls(one: string, other: string): boolean {
  return normalizeUrl(one) === normalizeUrl(other)
}

/** A URL as the parser spells it, without final slashes; any other text without those only. */
export function normalizeUrl(value: string): string {
  return withoutFinalSlashes(URL.canParse(value) ? new URL(value).href : value)
}
