/** Whether a URL names this machine: what goes there never leaves it, so it needs neither a proxy nor TLS. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
