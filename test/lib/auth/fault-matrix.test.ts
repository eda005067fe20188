import { afterEach, describe, expect, test } from 'vitest'
import type { EnclaveAuthMode, Fault } from '../../../src/enclave/enclave.ts'
import { useEnclave, type AttemptResult } from './enclave-attempts.ts'

/** The kinds that sign in to the login authority. Managed identity and the command-line tool have tests of their own. */
const modes = [
  'clientSecret',
  'clientCertificate',
  'workloadIdentity',
  'deviceCode',
  'usernamePassword',
] as const satisfies readonly EnclaveAuthMode[]

const deadlineMs = 700
/** What a busy machine may add before an answer counts as late. */
const slackMs = 1500

interface Row {
  readonly fault: Fault
  readonly code: string
}

const rows: readonly Row[] = [
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
  { fault: { kind: 'byte-order-mark' }, code: 'acquired' },
  { fault: { kind: 'redirect' }, code: 'AUTHORITY_REDIRECTED' },
  { fault: { kind: 'status-429' }, code: 'AUTHORITY_THROTTLED' },
  { fault: { kind: 'status-500' }, code: 'AUTHORITY_HTTP_ERROR' },
  { fault: { kind: 'status-503' }, code: 'AUTHORITY_HTTP_ERROR' },
  { fault: { kind: 'slow-drip' }, code: 'AUTHORITY_TIMEOUT' },
  { fault: { kind: 'huge-body' }, code: 'AUTHORITY_RESPONSE_TOO_LARGE' },
  { fault: { kind: 'foreign-issuer' }, code: 'ISSUER_MISMATCH' },
  { fault: { kind: 'foreign-token-endpoint' }, code: 'TOKEN_ENDPOINT_FOREIGN' },
  { fault: { kind: 'missing-token-endpoint' }, code: 'LOGIN_DOCUMENT_INVALID' },
  { fault: { kind: 'aadsts', number: 50049, error: 'invalid_instance' }, code: 'INSTANCE_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 7000215, error: 'invalid_client' }, code: 'CLIENT_SECRET_INVALID' },
  { fault: { kind: 'aadsts', number: 700016, error: 'unauthorized_client' }, code: 'CLIENT_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 90002, error: 'invalid_request' }, code: 'TENANT_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 500011, error: 'invalid_resource' }, code: 'RESOURCE_UNKNOWN' },
  { fault: { kind: 'aadsts', number: 70011, error: 'invalid_scope' }, code: 'SCOPE_INVALID' },
  { fault: { kind: 'aadsts', number: 53003, error: 'access_denied' }, code: 'CONDITIONAL_ACCESS' },
  { fault: { kind: 'aadsts', number: 999999, error: 'server_said_no' }, code: 'TOKEN_REJECTED' },
]

describe.each(modes)('%s', (mode) => {
  const running = useEnclave()
  afterEach(() => running().enclave.setFault(undefined))

  const attempt = (): Promise<AttemptResult> => {
    const { enclave } = running()
    return running().attempt(mode, {
      timeoutMs: deadlineMs,
      onPrompt: ({ userCode }) => enclave.approveDeviceCode(userCode),
    })
  }

  test('acquires a token when nothing is wrong', async () => {
    expect(await attempt()).toMatchObject({ outcome: 'acquired' })
  })

  test.each(rows)('$fault ends in $code', async ({ fault, code }) => {
    const { enclave } = running()
    await enclave.setFault(fault)
    const { outcome, durationMs } = await attempt()
    expect(outcome).toBe(code)
    expect(durationMs).toBeLessThan(code === 'acquired' ? Number.POSITIVE_INFINITY : deadlineMs + slackMs)
    expect(enclave.foreign.received).toEqual([])
  })
})
