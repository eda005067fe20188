import type { EnclaveAuthMode, FaultChoice, FaultTarget } from '../../../src/enclave/enclave.ts'

/** One start of the deployed service: a mode, and what is wrong with the cloud or the tool. */
export interface BundleRow {
  readonly title: string
  readonly mode: EnclaveAuthMode
  readonly fault?: readonly [FaultChoice, FaultTarget]
  /** The script of the command-line tool, as `platformCli` runs it. `TOKEN` stands for a token. */
  readonly tool?: string
  /** `acquired`, or the code of the failure. */
  readonly token: string
}

const html = [{ kind: 'html' }, 'login/token'] as const
const half = [{ kind: 'invalid-json' }, 'login/token'] as const
const refused = [{ kind: 'aadsts', number: 7000215, error: 'invalid_client' }, 'login/token'] as const

export const bundleRows: readonly BundleRow[] = [
  { title: 'a good answer', mode: 'clientSecret', token: 'acquired' },
  { title: 'a page instead of a token', mode: 'clientSecret', fault: html, token: 'AUTHORITY_RESPONSE_INVALID' },
  { title: 'a refusal', mode: 'clientSecret', fault: refused, token: 'CLIENT_SECRET_INVALID' },
  { title: 'a good answer', mode: 'clientCertificate', token: 'acquired' },
  { title: 'half a token', mode: 'clientCertificate', fault: half, token: 'AUTHORITY_RESPONSE_INVALID' },
  { title: 'a good answer', mode: 'workloadIdentity', token: 'acquired' },
  { title: 'half a token', mode: 'workloadIdentity', fault: half, token: 'AUTHORITY_RESPONSE_INVALID' },
  { title: 'a good answer', mode: 'usernamePassword', token: 'acquired' },
  { title: 'half a token', mode: 'usernamePassword', fault: half, token: 'AUTHORITY_RESPONSE_INVALID' },
  { title: 'a person who signs in', mode: 'deviceCode', token: 'acquired' },
  { title: 'half a token', mode: 'deviceCode', fault: half, token: 'AUTHORITY_RESPONSE_INVALID' },
  { title: 'a good answer', mode: 'default', token: 'acquired' },
  { title: 'a good answer', mode: 'managedIdentity', token: 'acquired' },
  {
    title: 'half a token',
    mode: 'managedIdentity',
    fault: [{ kind: 'invalid-json' }, 'managed-identity'],
    token: 'IDENTITY_ENDPOINT_RESPONSE_INVALID',
  },
  {
    title: 'an answer without an end',
    mode: 'managedIdentity',
    fault: [{ kind: 'slow-drip', everyMilliseconds: 1 }, 'managed-identity'],
    token: 'IDENTITY_ENDPOINT_TIMEOUT',
  },
  {
    title: 'a good answer',
    mode: 'platformCli',
    tool: `echo '{"accessToken":"TOKEN","expires_on":4102444800}'`,
    token: 'acquired',
  },
  {
    title: 'a tool that prints its token and fails',
    mode: 'platformCli',
    tool: `echo '{"accessToken":"TOKEN"}'; echo 'ERROR: TOKEN' >&2; exit 1`,
    token: 'CLI_FAILED',
  },
]
