import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf, type IdentityProvider } from '../profile/identity-provider.ts'
import { checkProfile } from '../profile/parse-cloud-profile.ts'
import type { CloudMetadata, WholeCloudMetadata } from './cloud-metadata.ts'
import { specificTenant } from './compare-with-profile.ts'
import { knownCloudOf } from '../clouds/equal-values.ts'

/** The inputs of the rules of a draft. */
export interface DraftContext {
  readonly metadata: WholeCloudMetadata
  /** The requested endpoint. */
  readonly endpoint: string
  /** The name that the operator chose. */
  readonly name?: string | undefined
  /** The built-in profile of this very cloud: the same resource manager and the same login authority. */
  readonly known?: CloudProfile | undefined
  readonly provider: IdentityProvider
  /** An on-premises stack. */
  readonly isStack: boolean
  /** Host of the resource manager, without port. */
  readonly host: string
  /** The host's domain as one DNS label, for names and placeholders. */
  readonly label: string
}

export function draftContext(metadata: WholeCloudMetadata, endpoint: string, name?: string): DraftContext {
  const { hostname } = new URL(metadata.resourceManagerEndpoint)
  const provider = identityProviderOf({ authorityHost: metadata.loginEndpoint }, specificTenant(metadata))
  const isFederation = provider.kind === 'federation-service'
  return {
    metadata,
    endpoint,
    name: name?.trim() ? name.trim() : undefined,
    known: knownCloud(metadata),
    provider,
    isStack: isFederation || hasStackAudience(metadata) || /(^|\.)azurestack\./i.test(hostname),
    host: hostname,
    label: labelOf(hostname),
  }
}

/** A stack generates its audience at registration: `https://management.<domain>/<guid>`. */
function hasStackAudience({ audiences: [audience] }: CloudMetadata): boolean {
  return /^https:\/\/management\.[^/]+\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i.test(audience)
}

function knownCloud({ resourceManagerEndpoint, loginEndpoint }: CloudMetadata): CloudProfile | undefined {
  return checkProfile(knownCloudOf({ resourceManagerEndpoint, authorityHost: loginEndpoint })).profile
}

function labelOf(hostname: string): string {
  const label = hostname
    .replace(/^(admin)?management\./, '')
    .slice(0, 60)
    .split(/[^a-z0-9]/)
    .filter((part) => part !== '')
    .join('-')
  return label === '' ? 'cloud' : label
}
