import type { Evidence } from '../errors.ts'
import { equalAuthorities } from '../clouds/equal-values.ts'
import { equalUrls, parseHttpUrl } from '../base/address.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import type { AuthMode } from '../settings/setting-table.ts'
import type { FoundCheck } from './found-check.ts'
import type { Identity } from './report.ts'

/** The input of the conclusions. */
export interface Concluded {
  readonly checks: readonly FoundCheck[]
  readonly profile: CloudProfile
  readonly identity: Identity
  readonly authMode: AuthMode
}

/**
 * The conclusions from all checks of one run, for fixes that respect the passed checks: which audience or authority the cloud itself names
 * where the profile has another (`audienceToSet`, `authorityToSet`), and whether the cloud's metadata confirms the profile
 * (`metadataAgrees`), so that the fix is outside the profile.
 */
export function conclusionsOf({ checks, profile, identity, authMode }: Concluded): Evidence {
  const evidenceAt = (id: string): Evidence => checks.find((check) => check.id === id)?.evidence ?? {}
  const { publishedAudience, publishedAuthority } = evidenceAt('metadata.document')
  const { challengeAudience, challengeAuthority } = evidenceAt('resource-manager.challenge')
  const agrees = checks.some(({ id, status }) => id === 'metadata.matches-profile' && status === 'pass')
  const { resourceManagerAudience, authorityHost } = profile
  const audienceToSet = [publishedAudience, challengeAudience].find(
    (audience) => audience !== undefined && !equalUrls(audience, resourceManagerAudience),
  )
  // A challenge names the tenant too. The metadata names the authority itself, whose path counts.
  const authorityToSet =
    challengeAuthority !== undefined && !sameHost(challengeAuthority, authorityHost)
      ? challengeAuthority
      : publishedAuthority !== undefined && !equalAuthorities(publishedAuthority, authorityHost)
        ? publishedAuthority.replace(/\/?$/, '/')
        : undefined
  const { tenantId, clientId } = identity
  const conclusions = {
    // If the metadata confirms the profile, another audience in it is only a second name.
    [authMode]: 'yes',
    audienceToSet: agrees ? undefined : audienceToSet,
    authorityToSet,
    clockAgrees: checks.some(({ id, status }) => id === 'authority.clock' && status === 'pass') ? 'yes' : undefined,
    metadataAgrees: agrees ? 'yes' : undefined,
    tenantId,
    clientId,
    audience: resourceManagerAudience,
    authority: authorityHost,
  }
  return Object.fromEntries(
    Object.entries(conclusions).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function sameHost(one: string, other: string): boolean {
  return equalAuthorities(one, other) || parseHttpUrl(one)?.host === parseHttpUrl(other)?.host
}
