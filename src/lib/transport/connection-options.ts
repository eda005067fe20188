import type { LookupFunction } from 'node:net'
import type { NetworkRole } from '../errors.ts'
import { currentAttempt } from './attempt.ts'
import { lookupOf } from './host-lookup.ts'

/**
 * Milliseconds for one address of a name that has several. Node's 250 are too few for a satellite link, where a connection takes 400: with a
 * second family that is silent, none would succeed.
 */
const addressTimeoutMs = 1500

interface ConnectionOptions {
  readonly lookup: LookupFunction
  readonly autoSelectFamilyAttemptTimeout: number
}

/** How every socket of this service connects, by the kind of host. No default of the process changes. */
export function connectionOptions(role?: NetworkRole): ConnectionOptions {
  const attempt = currentAttempt.getStore()
  return {
    lookup: lookupOf(attempt !== undefined || isForToken(role)),
    // A short deadline leaves time for a second address.
    autoSelectFamilyAttemptTimeout: Math.min(addressTimeoutMs, (attempt?.timeoutMs ?? Infinity) / 2),
  }
}

/** Whether the lookups of a kind of host may delay a token. */
export function isForToken(role: NetworkRole | undefined): boolean {
  return role === 'AUTHORITY' || role === 'IDENTITY_ENDPOINT'
}
