import type { PlantedSecret } from './planted-secrets.ts'
import type { EgressRow } from './run-mode.ts'
import type { ModeSubject, ProfileSubject } from './subjects.ts'

/** The hosts that a profile may lead to under a mode. A managed identity adds its endpoint, for the token alone. */
export function namedHosts({ hosts }: ProfileSubject, { identityHost }: ModeSubject): string[] {
  if (hosts === undefined) return []
  const identity = identityHost === undefined ? [] : [identityHost]
  return [hosts.authority, hosts.manager, ...hosts.services, ...identity].sort()
}

/** Every host that was looked up, connected to or asked, once, in order. */
export function contactedHosts({ contacts, requests }: EgressRow): string[] {
  return [...new Set([...contacts, ...requests].map(({ host }) => host))].sort()
}

/** The secrets that went to a host which has no business with them, such as `password to management.azure.com`. */
export function straySecrets({ requests }: EgressRow, profile: ProfileSubject, mode: ModeSubject): string[] {
  const isMeant = (secret: PlantedSecret, host: string) => {
    if (secret === 'accessTokenSignature') return host === profile.hosts?.manager
    if (secret === 'serviceTokenSignature') return profile.hosts?.services.includes(host) === true
    if (secret === 'identityHeader') return host === mode.identityHost
    return mode.shown.includes(secret) && host === profile.hosts?.authority
  }
  return requests.flatMap(({ host, secrets }) =>
    secrets.filter((secret) => !isMeant(secret, host)).map((secret) => `${secret} to ${host}`),
  )
}
