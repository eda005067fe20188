import type { Fault, FaultTarget } from 'cloud-profile-enclave/enclave'

/** One fault of the enclave, and the code that the service must report. */
export interface FaultRow {
  readonly fault: Fault
  /** Default is the first target of the fault's row in the enclave's own table. */
  readonly target?: FaultTarget
  readonly code: string
}

/** Faults on the way to a token: both the credential's error and the report have the code. */
export const loginFaults: readonly FaultRow[] = [
  { fault: { kind: 'refused' }, code: 'AUTHORITY_REFUSED' },
  { fault: { kind: 'silent-tls' }, code: 'AUTHORITY_TIMEOUT' },
  { fault: { kind: 'untrusted-ca' }, code: 'AUTHORITY_UNTRUSTED' },
  { fault: { kind: 'self-signed' }, code: 'AUTHORITY_UNTRUSTED' },
  { fault: { kind: 'missing-intermediate' }, code: 'AUTHORITY_UNTRUSTED' },
  { fault: { kind: 'expired-certificate' }, code: 'AUTHORITY_CERTIFICATE_EXPIRED' },
  { fault: { kind: 'not-yet-valid-certificate' }, code: 'AUTHORITY_CERTIFICATE_NOT_YET_VALID' },
  { fault: { kind: 'wrong-name' }, code: 'AUTHORITY_CERTIFICATE_NAME_MISMATCH' },
  { fault: { kind: 'silent' }, code: 'AUTHORITY_TIMEOUT' },
  { fault: { kind: 'reset' }, code: 'AUTHORITY_RESET' },
  { fault: { kind: 'not-found' }, code: 'AUTHORITY_NOT_FOUND' },
  { fault: { kind: 'html' }, code: 'AUTHORITY_RESPONSE_INVALID' },
  { fault: { kind: 'invalid-json' }, code: 'AUTHORITY_RESPONSE_INVALID' },
  { fault: { kind: 'truncated' }, code: 'AUTHORITY_RESET' },
  { fault: { kind: 'not-utf8' }, code: 'AUTHORITY_RESPONSE_INVALID' },
  { fault: { kind: 'empty' }, code: 'AUTHORITY_RESPONSE_INVALID' },
  { fault: { kind: 'redirect' }, code: 'AUTHORITY_REDIRECTED' },
  { fault: { kind: 'status-429' }, code: 'AUTHORITY_THROTTLED' },
  { fault: { kind: 'status-500' }, code: 'AUTHORITY_HTTP_ERROR' },
  { fault: { kind: 'status-503' }, code: 'AUTHORITY_HTTP_ERROR' },
  { fault: { kind: 'slow-drip' }, code: 'AUTHORITY_TIMEOUT' },
  { fault: { kind: 'huge-body' }, code: 'AUTHORITY_RESPONSE_TOO_LARGE' },
  { fault: { kind: 'foreign-issuer' }, code: 'ISSUER_MISMATCH' },
  { fault: { kind: 'foreign-token-endpoint' }, code: 'TOKEN_ENDPOINT_FOREIGN' },
  { fault: { kind: 'missing-token-endpoint' }, code: 'OPENID_CONFIGURATION_INVALID' },
  { fault: { kind: 'aadsts', number: 50049, error: 'invalid_instance' }, code: 'INSTANCE_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 7000215, error: 'invalid_client' }, code: 'CLIENT_SECRET_INVALID' },
  { fault: { kind: 'aadsts', number: 700016, error: 'unauthorized_client' }, code: 'CLIENT_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 90002, error: 'invalid_request' }, code: 'TENANT_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 500011, error: 'invalid_resource' }, code: 'RESOURCE_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 70011, error: 'invalid_scope' }, code: 'SCOPE_INVALID' },
  { fault: { kind: 'aadsts', number: 53003, error: 'access_denied' }, code: 'CONDITIONAL_ACCESS' },
  { fault: { kind: 'aadsts', number: 999999, error: 'server_said_no' }, code: 'TOKEN_REJECTED' },
]

/** Faults that only a diagnostics run detects, or that a sign-in waits longer for. */
export const reportFaults: readonly FaultRow[] = [
  { fault: { kind: 'slow-drip' }, target: 'login/token', code: 'AUTHORITY_TIMEOUT' },
  { fault: { kind: 'wrong-audience' }, code: 'TOKEN_AUDIENCE_MISMATCH' },
  { fault: { kind: 'wrong-tenant' }, code: 'TOKEN_TENANT_MISMATCH' },
  { fault: { kind: 'expired-token' }, code: 'TOKEN_EXPIRED' },
  { fault: { kind: 'clock-skew', seconds: 900 }, code: 'CLOCK_SKEW' },
  { fault: { kind: 'rejects-token' }, code: 'RESOURCE_MANAGER_REJECTED_TOKEN' },
  { fault: { kind: 'refused' }, target: 'resource-manager', code: 'RESOURCE_MANAGER_REFUSED' },
  { fault: { kind: 'untrusted-ca' }, target: 'resource-manager', code: 'RESOURCE_MANAGER_UNTRUSTED' },
  { fault: { kind: 'foreign-challenge' }, target: 'resource-manager', code: 'CHALLENGE_AUTHORITY_MISMATCH' },
]

/** How a test names a row. */
export function faultTitle({ fault, target }: FaultRow): string {
  const { kind, ...parameters } = fault
  const values = Object.values(parameters).join(' ')
  return [kind, ...(values === '' ? [] : [values]), ...(target === undefined ? [] : [`at ${target}`])].join(' ')
}
