/** The three login authorities that the public instance discovery knows: public, US government and China. */
export const wellKnownAuthorityHosts: readonly string[] = [
  'https://login.microsoftonline.com',
  'https://login.microsoftonline.us',
  'https://login.chinacloudapi.cn',
]

/**
 * Whether the credential library must skip its public instance discovery: for every authority host but the three
 * well-known ones, which an isolated network cannot reach anyway. Letter case, a default port and trailing slashes
 * do not matter; a path does.
 */
export function shouldDisableInstanceDiscovery(authorityHost: string): boolean {
  if (!URL.canParse(authorityHost)) return true
  return !wellKnownAuthorityHosts.includes(new URL(authorityHost).href.replace(/\/+$/, ''))
}
