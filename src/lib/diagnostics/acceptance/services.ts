import { ServiceError, type ErrorCode } from '../../errors.ts'
import { serviceUrl } from '../../profile/endpoints.ts'
import { valueAt } from '../../base/json.ts'
import type { CloudProfile } from '../../profile/cloud-profile.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Document } from '../../transport/get-document.ts'
import { retryAfterSeconds } from '../../transport/retry-after.ts'
import type { AcceptanceTarget } from './acceptance.ts'

/** The configured key vault and storage account: the name of one secret, one container. No data is read, nothing is stored. */
export function serviceAcceptance(
  profile: CloudProfile,
  { keyVault, storageAccount }: Pick<Settings, 'keyVault' | 'storageAccount'>,
): readonly AcceptanceTarget[] {
  const targets: AcceptanceTarget[] = []
  if (keyVault !== undefined) {
    targets.push({
      group: 'key-vault',
      role: 'SERVICE',
      url: new URL('secrets?api-version=7.4&maxresults=1', serviceUrl(profile, 'keyVault', keyVault)),
      audience: profile.serviceAudiences.keyVault,
      refusal: (document, host) =>
        toRefusalError(document, host, vaultReason(document), {
          setting: 'serviceAudiences.keyVault (PLATFORM_KEYVAULT_AUDIENCE)',
          role: 'Key Vault Secrets User',
          network: 'the key vault',
        }),
    })
  }
  if (storageAccount !== undefined) {
    targets.push({
      group: 'storage',
      role: 'SERVICE',
      url: new URL('?comp=list&maxresults=1', serviceUrl(profile, 'storage', storageAccount)),
      // Bearer tokens need a version of 2017-11-09 or later.
      headers: { 'x-ms-version': '2021-12-02', accept: 'application/xml' },
      audience: profile.serviceAudiences.storage,
      refusal: (document, host) =>
        toRefusalError(document, host, storageReason(document), {
          setting: 'serviceAudiences.storage (PLATFORM_STORAGE_AUDIENCE)',
          role: 'Storage Blob Data Reader',
          network: 'the storage account',
        }),
    })
  }
  return targets
}

/** What the services call a request that their network rules refuse. Both answer 403, as for a missing role. */
const firewallReasons: ReadonlySet<string> = new Set([
  'AuthorizationFailure',
  'ForbiddenByFirewall',
  'ForbiddenByConnection',
])

interface Remedy {
  /** Where the audience is set. */
  readonly setting: string
  /** The least role that may list. */
  readonly role: string
  readonly network: string
}

function toRefusalError(document: Document, host: string, reason: string | undefined, remedy: Remedy): ServiceError {
  const { status, headers } = document
  const code = codeOf(status, reason)
  const shown = reason === undefined ? '' : ` (${reason})`
  const evidence = {
    host,
    status: String(status),
    reason,
    retryAfterSeconds: retryAfterSeconds(headers['retry-after']),
    ...remedy,
  }
  return new ServiceError(code, `${host} answers ${status} to the token${shown}`, { evidence })
}

function codeOf(status: number, reason: string | undefined): ErrorCode {
  if (status === 401) return 'SERVICE_REJECTED_TOKEN'
  if (status === 403) return firewallReasons.has(reason ?? '') ? 'SERVICE_FIREWALL' : 'SERVICE_FORBIDDEN'
  if (status === 404) return 'SERVICE_NOT_FOUND'
  return status === 429 ? 'SERVICE_THROTTLED' : 'SERVICE_HTTP_ERROR'
}

/** Azure Storage names its reason in a header; a proxy on the way may drop that, so the body is read as well. */
function storageReason({ headers, text }: Document): string | undefined {
  return nameOf(headers['x-ms-error-code'] ?? text.slice(0, 4096).split('<Code>')[1]?.split('</Code>')[0])
}

/** Key Vault nests the telling code of a 403. */
function vaultReason({ text }: Document): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return nameOf(valueAt(body, 'error.innererror.code') ?? valueAt(body, 'error.code'))
  } catch {
    return undefined
  }
}

/** A reason is an identifier; anything else is text of somebody, and is not shown. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : undefined
}
