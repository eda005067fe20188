import { ServiceError } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { findProblems } from './find-problems.ts'

/**
 * Checks a document as a cloud profile: the schema phase, then the runtime phase. Nothing is repaired.
 *
 * @param input Any parsed JSON.
 * @param source What the document is called in the error, such as a file's path. Default is `cloud profile`.
 * @throws {ServiceError} `PROFILE_INVALID` that lists every problem at once, each with its dotted field path.
 */
export function parseCloudProfile(input: unknown, source = 'cloud profile'): CloudProfile {
  return parseWithOrigins(input, source, () => source)
}

/** As {@link parseCloudProfile}, with the origin of each field in the error (a file, a variable's name). */
export function parseWithOrigins(input: unknown, source: string, originOf: (path: string) => string): CloudProfile {
  const problems = findProblems(input)
  if (problems.length === 0) return pickFields(input as CloudProfile)
  const lines = problems.map(({ path, message }) => {
    const origin = originOf(path)
    return `  ${path === '' ? '' : `${path}: `}${message}${origin === source ? '' : ` (from ${origin})`}`
  })
  throw new ServiceError('PROFILE_INVALID', [`Invalid cloud profile in ${source}:`, ...lines].join('\n'))
}

/** A copy of a valid document with the fields of a profile, in their order, and no other. */
function pickFields(document: CloudProfile): CloudProfile {
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } = document
  const {
    tenantId,
    portalUrl,
    metadataEndpoint,
    serviceDnsSuffixes: suffixes,
    serviceAudiences: audiences,
    notes,
  } = document
  const { storage, keyVault, sqlServer, containerRegistry } = suffixes
  return {
    name,
    displayName,
    environment,
    authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(portalUrl === undefined ? {} : { portalUrl }),
    ...(metadataEndpoint === undefined ? {} : { metadataEndpoint }),
    serviceDnsSuffixes: { storage, keyVault, sqlServer, containerRegistry },
    serviceAudiences: { arm: audiences.arm, storage: audiences.storage, keyVault: audiences.keyVault },
    ...(notes === undefined ? {} : { notes }),
  }
}
