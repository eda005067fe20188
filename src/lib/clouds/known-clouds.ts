import commercial from '../../../cloud-profiles/platform-commercial.json' with { type: 'json' }
import usGovSecret from '../../../cloud-profiles/platform-us-gov-secret.json' with { type: 'json' }
import usGovTopSecret from '../../../cloud-profiles/platform-us-gov-topsecret.json' with { type: 'json' }
import usGovernment from '../../../cloud-profiles/platform-us-government.json' with { type: 'json' }
import stack from '../../../cloud-profiles/platformstack-custom.json' with { type: 'json' }
import type { CloudFile } from './cloud-file.ts'
import { knownFiles } from './known-files.ts'

/** The clouds that PLATFORM_CLOUD selects by specification, not yet validated. */
export const builtInClouds: readonly CloudFile[] = [commercial, usGovernment, usGovSecret, usGovTopSecret, stack]

/** Every cloud with published values. A file that has every field that a profile needs can be selected by its name too. */
export const knownClouds: readonly CloudFile[] = [commercial, usGovernment, ...knownFiles]

/** The audience of storage, which is the same in every known cloud. */
export const usualStorageAudience = commercial.serviceAudiences.storage

/** The login authority of the public cloud, which clients ask for the instance discovery. */
export const publicAuthority = commercial.authorityHost

/** The hosts that clients ask for the public instance discovery. */
export const publicDiscoveryHosts: readonly string[] = [publicAuthority, ...commercial.aliases.authorityHosts].map(
  (url) => new URL(url).host,
)

/** The built-in profiles by name. */
export const builtInProfiles: ReadonlyMap<string, CloudFile> = new Map(
  builtInClouds.map((document) => [document.name, document]),
)

/** The names of the built-in profiles. */
export const builtInProfileNames: readonly string[] = builtInClouds.map(({ name }) => name)

/** The profile used when nothing is configured. */
export const defaultProfileName = usGovernment.name
