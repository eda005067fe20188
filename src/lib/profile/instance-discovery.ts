import { knownClouds } from '../clouds/known-clouds.ts'
import { withoutFinalSlashes } from '../base/address.ts'

/** The three login authorities that the public instance discovery knows: public, US government and China. */
export const wellKnownAuthorityHosts: readonly string[] = knownClouds
  .filter(({ name }) => ['platform-commercial', 'platform-us-government', 'platform-china'].includes(name))
  .map(({ authorityHost = '' }) => withoutFinalSlashes(authorityHost))

/**
 * Whether the credential library must skip its public instance discovery: for every authority host but the three
 * well-known ones, which an isolated network cannot reach anyway. Letter case, a default port and trailing slashes
 * do not matter; a path does.
 */
export function shouldDisableInstanceDiscovery(authorityHost: string): boolean {
  if (!URL.canParse(authorityHost)) return true
  return !wellKnownAuthorityHosts.includes(withoutFinalSlashes(new URL(authorityHost).href))
}
