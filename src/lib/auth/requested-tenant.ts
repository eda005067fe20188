import { isGuid } from '../base/guid.ts'
import { showValue } from '../base/show-value.ts'
import { ServiceError } from '../errors.ts'

/**
 * Checks the tenant of a call against the tenant of a credential. An SDK reads it from a challenge, so it may have other letter case, and be
 * the GUID of a domain name. The credential library compares the texts, and explains a difference as an invalid response.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for another tenant: the sender of a challenge must not choose where the secret is sent.
 */
export function checkRequestedTenant(requested: string | undefined, own: string): void {
  if (requested === undefined || requested === '' || own === 'adfs') return
  if (typeof requested === 'string') {
    if (requested.toLowerCase() === own.toLowerCase()) return
    if (isGuid(requested) && !isGuid(own)) return
  }
  throw new ServiceError(
    'ARGUMENT_INVALID',
    `tenantId is ${showValue(requested)}, but this credential signs in to the tenant ${showValue(own)} only; create a credential of the other tenant`,
  )
}
