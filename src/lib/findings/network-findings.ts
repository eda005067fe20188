import type { Finding, ConcreteFix } from './finding.ts'
import {
  faults,
  subjects,
  type NetworkFault,
  type NetworkRole,
  type Subject,
  type FaultText,
} from './network-faults.ts'

/** A network fault of one kind of host, such as `AUTHORITY_UNTRUSTED`. */
export type NetworkErrorCode = `${NetworkRole}_${NetworkFault}`

/** An unreachable identity endpoint most often means a host without an identity. */
const noIdentity = {
  cause:
    'The identity endpoint of this host does not respond, or returns 404. Most often the host has no managed identity.',
  fix: 'Assign a managed identity to the function app, machine or pod and restart it, or set AUTH_MODE to a mode that this host supports.',
  fixes: [],
}

/** The platform sets the address of the identity endpoint, so nobody corrects it by hand. */
const notTheIdentity = {
  fix: 'If IDENTITY_ENDPOINT is among the settings of the app, remove it: the platform sets it. If it is not, restart the app, and ask the operator of the platform which program responds at that address.',
  fixes: [
    {
      fix: 'If IDENTITY_ENDPOINT is among the settings of the app, remove it: the platform sets it. If it is not, restart the app, and ask the operator of the platform which program responds at {host}.',
    },
  ],
}

const special: Readonly<Partial<Record<NetworkErrorCode, Partial<Finding>>>> = {
  AUTHORITY_DNS_FAILED: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_DNS_UNAVAILABLE: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_REFUSED: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_UNREACHABLE: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_TIMEOUT: { symptoms: ['Network request failed at credential use'] },
  AUTHORITY_UNTRUSTED: { symptoms: ['Network request failed at credential use'] },
  IDENTITY_ENDPOINT_DNS_FAILED: noIdentity,
  IDENTITY_ENDPOINT_DNS_UNAVAILABLE: noIdentity,
  IDENTITY_ENDPOINT_REFUSED: noIdentity,
  IDENTITY_ENDPOINT_UNREACHABLE: noIdentity,
  IDENTITY_ENDPOINT_TIMEOUT: noIdentity,
  IDENTITY_ENDPOINT_NOT_FOUND: noIdentity,
  IDENTITY_ENDPOINT_REDIRECTED: notTheIdentity,
  IDENTITY_ENDPOINT_HTTP_ERROR: notTheIdentity,
  IDENTITY_ENDPOINT_RESPONSE_TOO_LARGE: notTheIdentity,
  IDENTITY_ENDPOINT_RESPONSE_INVALID: notTheIdentity,
  IDENTITY_ENDPOINT_TLS_FAILED: notTheIdentity,
  SERVICE_DNS_FAILED: {
    cause:
      'The host name of the account does not resolve: the account does not exist, or its DNS suffix belongs to another cloud.',
    fix: 'Correct PLATFORM_STORAGE_ACCOUNT or PLATFORM_KEY_VAULT, or the suffix (PLATFORM_STORAGE_DNS_SUFFIX, PLATFORM_KEYVAULT_DNS_SUFFIX). A private endpoint needs its private DNS zone.',
    fixes: [
      {
        fix: 'If the proxy of {exempted} knows {host}, remove {exemptingEntry} from {exemptionVariable}. If not, correct {addressSetting}. A private endpoint needs its private DNS zone.',
      },
      {
        fix: 'Correct {addressSetting}: no DNS server knows {host}. A private endpoint needs its private DNS zone.',
      },
    ],
    symptoms: ['Token acquisition failed'],
  },
}

/**
 * Faults of an endpoint that worked before with the same settings: the profile is correct, and the host, its DNS record or the network
 * changed.
 */
const outages: ReadonlySet<string> = new Set<NetworkFault>([
  'DNS_FAILED',
  'REFUSED',
  'UNREACHABLE',
  'TIMEOUT',
  'RESET',
  'TLS_FAILED',
  'REDIRECTED',
  'NOT_FOUND',
  'HTTP_ERROR',
  'RESPONSE_TOO_LARGE',
  'RESPONSE_INVALID',
])

/** A fix outside the profile, for a host that worked before with these settings. */
const workedBefore: ConcreteFix = {
  fix: 'Ask the operator of {host}, or of the network to it, what changed. It worked until {workedUntil} with these settings, so do not change the profile.',
}

/** The kinds of host whose address has more than one possible source: the report names the source of the host. */
const ownAddress = (role: string, subject: Subject): Subject =>
  role === 'SERVICE' ? { ...subject, address: '{addressSetting}' } : subject

/** One finding for each fault of each kind of host. */
export const networkFindings: Readonly<Record<NetworkErrorCode, Finding>> = Object.fromEntries(
  Object.entries(subjects).flatMap(([role, subject]) =>
    Object.entries(faults satisfies Readonly<Record<string, FaultText>> as Readonly<Record<string, FaultText>>).flatMap(
      ([fault, { title, cause, fix, fixes }]) => {
        const code = `${role}_${fault}` as NetworkErrorCode
        const own = ownAddress(role, subject)
        const concrete = special[code]?.fixes ?? fixes?.(own) ?? []
        const general = { title: title(subject), cause: cause(subject), fix: fix(subject), ...special[code] }
        const before = outages.has(fault) && role !== 'IDENTITY_ENDPOINT' ? [workedBefore] : []
        const finding: Finding = {
          ...general,
          fixes: [...before, ...concrete, ...(own === subject ? [] : [{ fix: fix(own) }])],
        }
        return [[code, finding] as const]
      },
    ),
  ),
) as Record<NetworkErrorCode, Finding>
