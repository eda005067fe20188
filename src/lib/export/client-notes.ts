import { equalUrls } from '../base/address.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'

/** A warning for a client that requests its tokens for the storage audience of the public cloud, where the profile has another one. */
export function storageAudienceNotes({ serviceAudiences }: CloudProfile): readonly string[] {
  return equalUrls(serviceAudiences.storage, usualStorageAudience)
    ? []
    : [
        `Warning: it requests tokens for ${usualStorageAudience} in every cloud. The profile has another storage audience:`,
        'the cloud must accept both, or the login fails with AADSTS500011 and the storage account responds with 401.',
      ]
}

/** The instructions for a client that cannot skip the public instance discovery. It does not need it for a federation service. */
export function instanceDiscoveryNotes(profile: CloudProfile): readonly string[] {
  const { kind, disableInstanceDiscovery } = identityProviderOf(profile)
  return kind === 'multi-tenant' && disableInstanceDiscovery
    ? ['It asks the public instance discovery before each login: set up docs/other-tools.md first.']
    : []
}
