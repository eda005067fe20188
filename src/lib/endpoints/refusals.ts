import { ServiceError, type ErrorCode } from '../errors.ts'
import { valueAt } from '../base/json.ts'
import type { Document } from '../transport/get-document.ts'
import { retryAfterSeconds } from '../transport/check-response.ts'
import type { ProtectedEndpoint } from './endpoint.ts'

/** Error codes of requests that network rules refuse. The services answer 403, as for a missing role. */
const firewallReasons: ReadonlySet<string> = new Set([
  'AuthorizationFailure',
  'ForbiddenByFirewall',
  'ForbiddenByConnection',
])

/** The finding for a token that a service refused. @param document An answer with a status from 300 on. */
export function toRefusalError({ name, role, protectedResource }: ProtectedEndpoint, document: Document): ServiceError {
  const { reason, leastRole, audienceSetting } = protectedResource
  const { host } = protectedResource.url
  const { status, headers } = document
  const given = reason?.(document)
  const code = codeOf(role === 'RESOURCE_MANAGER' ? role : 'SERVICE', status, given)
  const evidence = {
    host,
    status: String(status),
    reason: given,
    retryAfterSeconds: retryAfterSeconds(headers['retry-after']),
    setting: audienceSetting,
    role: leastRole,
    network: `the ${name.toLowerCase()}`,
  }
  const shown = given === undefined ? '' : ` (${given})`
  return new ServiceError(code, `${host} returned ${status} to the token${shown}`, { evidence })
}

function codeOf(role: 'RESOURCE_MANAGER' | 'SERVICE', status: number, reason: string | undefined): ErrorCode {
  if (status === 401) return `${role}_REJECTED_TOKEN`
  if (status === 403) return firewallReasons.has(reason ?? '') ? 'SERVICE_FIREWALL' : `${role}_FORBIDDEN`
  if (status === 404) return `${role}_NOT_FOUND`
  return status === 429 ? `${role}_THROTTLED` : `${role}_HTTP_ERROR`
}

/** Azure Storage names its reason in a header; a proxy may drop the header, so the body is read too. */
export function storageReason({ headers, text }: Document): string | undefined {
  return nameOf(headers['x-ms-error-code'] ?? text.slice(0, 4096).split('<Code>')[1]?.split('</Code>')[0])
}

/** Key Vault nests the telling code of a 403. */
export function vaultReason({ text }: Document): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return nameOf(valueAt(body, 'error.innererror.code') ?? valueAt(body, 'error.code'))
  } catch {
    return undefined
  }
}

/** A reason is an identifier; anything else is foreign text, and is not shown. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : undefined
}
