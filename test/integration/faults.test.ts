import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { enclaveAuthModes } from 'cloud-profile-enclave/choices'
import type { EnclaveAuthMode, FaultChoice, FaultTarget } from 'cloud-profile-enclave/enclave'
import type { Env } from '../../src/lib/base/env.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { createService } from '../../src/lib/service/service.ts'
import { contractProblems } from '../support/contract.ts'
import { contradictionsOf } from '../support/contradictions.ts'
import { useEnclave } from '../support/use-enclave.ts'

// The matrix of the enclave's faults: each with its credential and one of the others in turn, as a whole report. Single conditions have units.

interface Row {
  readonly fault?: FaultChoice
  /** Default is the first target of the fault's row in the enclave's table. */
  readonly target?: FaultTarget
  /** The root cause with `mode`. */
  readonly code: string
  /** Default is clientSecret. */
  readonly mode?: EnclaveAuthMode
  readonly env?: Env
  /** The red nodes of the diagram. Default is the login authority. */
  readonly red?: readonly string[]
  /** What the fix of the root cause says. */
  readonly fix?: RegExp
  /** What no fix says. */
  readonly never?: RegExp
  readonly change?: object
  readonly evidence?: object
}

const row = (fault: FaultChoice | FaultChoice['kind'], code: string, more: Partial<Row> = {}): Row => ({
  fault: typeof fault === 'string' ? { kind: fault } : fault,
  code,
  ...more,
})
const aadsts = (number: number, error: string): FaultChoice => ({ kind: 'aadsts', number, error })
const status = (code: number, body: object = {}): FaultChoice => ({ kind: 'replaced-status', status: code, body })

const operator = /operator of localhost/
const clock = /this machine's clock/
const firewall = /firewall|Allow traffic/
const profileFile = /`\w+(\.\w+)*` in \S+\.json/

const ofLogin: readonly Row[] = [
  row('refused', 'AUTHORITY_REFUSED'),
  row('silent-tls', 'AUTHORITY_TIMEOUT', { fix: /MTU/, never: /Allow traffic/ }),
  row('untrusted-ca', 'AUTHORITY_UNTRUSTED'),
  row('self-signed', 'AUTHORITY_UNTRUSTED', { fix: /^Add the self-signed certificate of localhost.*SHA-256/ }),
  row('missing-intermediate', 'AUTHORITY_UNTRUSTED', { fix: /send the intermediate CA/ }),
  row('expired-certificate', 'AUTHORITY_CERTIFICATE_EXPIRED'),
  row('not-yet-valid-certificate', 'AUTHORITY_CERTIFICATE_NOT_YET_VALID', { fix: operator, never: clock }),
  row('wrong-name', 'AUTHORITY_CERTIFICATE_NAME_MISMATCH', { evidence: { names: 'another-host.enclave.test' } }),
  row('silent', 'AUTHORITY_TIMEOUT'),
  row('silent', 'AUTHORITY_TIMEOUT', { target: 'login/token', fix: operator, never: firewall }),
  row('reset', 'AUTHORITY_RESET'),
  row('not-found', 'AUTHORITY_NOT_FOUND'),
  row('not-found', 'AUTHORITY_NOT_FOUND', { target: 'login/token', fix: operator, never: /error number/ }),
  row('html', 'AUTHORITY_RESPONSE_INVALID'),
  row('invalid-json', 'AUTHORITY_RESPONSE_INVALID'),
  row('truncated', 'AUTHORITY_RESET'),
  row('not-utf8', 'AUTHORITY_RESPONSE_INVALID'),
  row('empty', 'AUTHORITY_RESPONSE_INVALID'),
  row('redirect', 'AUTHORITY_REDIRECTED', { fix: operator }),
  row('status-429', 'AUTHORITY_THROTTLED', { fix: /Wait 3600 s/, evidence: { retryAfterSeconds: '3600' } }),
  row('status-500', 'AUTHORITY_HTTP_ERROR'),
  row('status-503', 'AUTHORITY_HTTP_ERROR'),
  row('slow-drip', 'AUTHORITY_TIMEOUT', { fix: operator, never: firewall }),
  row('slow-drip', 'AUTHORITY_TIMEOUT', { target: 'login/token', fix: operator, never: firewall }),
  row('huge-body', 'AUTHORITY_RESPONSE_TOO_LARGE'),
  row('foreign-issuer', 'ISSUER_MISMATCH'),
  row('foreign-token-endpoint', 'TOKEN_ENDPOINT_FOREIGN'),
  row('missing-token-endpoint', 'OPENID_CONFIGURATION_INVALID'),
  row({ kind: 'clock-skew', seconds: 900 }, 'CLOCK_SKEW', { red: ['workload'], fix: clock }),
  row('wrong-audience', 'TOKEN_AUDIENCE_MISMATCH'),
  row('wrong-tenant', 'TOKEN_TENANT_MISMATCH'),
  row('expired-token', 'TOKEN_EXPIRED'),
  row(aadsts(50049, 'invalid_instance'), 'INSTANCE_UNKNOWN'),
  row(aadsts(700016, 'unauthorized_client'), 'CLIENT_UNKNOWN'),
  row(aadsts(90002, 'invalid_request'), 'TENANT_UNKNOWN'),
  row(aadsts(500011, 'invalid_resource'), 'RESOURCE_UNKNOWN'),
  row(aadsts(70011, 'invalid_scope'), 'SCOPE_INVALID'),
  row(aadsts(53003, 'access_denied'), 'CONDITIONAL_ACCESS'),
  row(aadsts(999999, 'server_said_no'), 'TOKEN_REJECTED'),
  row({ kind: 'replaced-fields', fields: { issuer: 'https://login.microsoftonline.com/x/v2.0' } }, 'ISSUER_MISMATCH', {
    target: 'login/openid-configuration',
    fix: /Commercial cloud/,
  }),
]

const ofSubscriptions = { target: 'resource-manager/subscriptions', red: ['resource-manager'] } as const
const rejection = (code: string, fix: RegExp, never: RegExp): Row =>
  row(status(401, { error: { code } }), 'RESOURCE_MANAGER_REJECTED_TOKEN', { ...ofSubscriptions, fix, never })
const manager = { target: 'resource-manager', red: ['resource-manager', 'metadata'] } as const
const resourceManager = 'https://management.azure.com/'
const authentication = { loginEndpoint: 'https://login.microsoftonline.com/', audiences: [resourceManager] }
const publicCloud = { name: 'AzureCloud', resourceManager, authentication }
const ofMetadata = { target: 'resource-manager/metadata', red: ['metadata'] } as const
const ofManager: readonly Row[] = [
  row('rejects-token', 'RESOURCE_MANAGER_REJECTED_TOKEN', { red: ['resource-manager'] }),
  rejection('InvalidAuthenticationTokenAudience', /InvalidAuthenticationTokenAudience/, profileFile),
  rejection('InvalidAuthenticationTokenTenant', /tenant of the subscription/, profileFile),
  rejection('ExpiredAuthenticationToken', /operator of localhost:\d+ to synchronize its clock/, clock),
  // The metadata of the enclave is on the same host.
  row('refused', 'RESOURCE_MANAGER_REFUSED', manager),
  row('untrusted-ca', 'RESOURCE_MANAGER_UNTRUSTED', manager),
  row({ kind: 'replaced-fields', fields: publicCloud }, 'METADATA_CLOUD_NOT_LISTED', {
    ...ofMetadata,
    fix: /Commercial cloud/,
    never: /orrect `resourceManagerEndpoint`/,
  }),
  row('not-found', 'RESOURCE_MANAGER_NOT_FOUND', ofSubscriptions),
  row('huge-body', 'RESOURCE_MANAGER_RESPONSE_TOO_LARGE', ofSubscriptions),
  row('redirect', 'METADATA_REDIRECTED', ofMetadata),
  row('foreign-challenge', 'CHALLENGE_AUTHORITY_MISMATCH', { ...manager, red: ['resource-manager'] }),
]

/** As an authority without numbers refuses a client: a federation service. */
const notAllowed = 'MSIS9605: The client is not allowed to access the resource.'
const withoutNumber = status(401, { error: 'invalid_client', error_description: notAllowed })
const refusal = (fault: FaultChoice, mode: EnclaveAuthMode, code: string, more: Partial<Row> = {}) =>
  row(fault, code, { target: mode === 'deviceCode' ? 'login/device-code' : 'login/token', mode, ...more })
const identity = (fault: FaultChoice | FaultChoice['kind'], code: string, more: Partial<Row> = {}) =>
  row(fault, code, { target: 'managed-identity', mode: 'managedIdentity', red: ['identity-endpoint'], ...more })
const setting = (env: Env, code: string, more: Partial<Row> = {}): Row => ({ env, code, ...more })
const noFile = { CUSTOM_CLOUD_PROFILE_PATH: '' }
const ofWorkload = { red: ['workload'] } as const
const unknownIdentity = { error: 'invalid_request', error_description: 'Identity not found' }
const uuid = /^[0-9a-f-]{36}$/

/** No authority refuses a credential that it was not sent, so that these have one mode. */
const ofMode: readonly Row[] = [
  refusal(aadsts(7000215, 'invalid_client'), 'clientSecret', 'CLIENT_SECRET_INVALID'),
  refusal(aadsts(7000222, 'invalid_client'), 'clientSecret', 'CLIENT_SECRET_INVALID', { fix: /has expired/ }),
  refusal(aadsts(7000112, 'unauthorized_client'), 'clientSecret', 'SIGN_IN_NOT_ALLOWED'),
  refusal(aadsts(700027, 'invalid_client'), 'clientCertificate', 'CLIENT_ASSERTION_REJECTED'),
  refusal(aadsts(70021, 'invalid_client'), 'workloadIdentity', 'CLIENT_ASSERTION_REJECTED'),
  refusal(aadsts(7000218, 'invalid_client'), 'usernamePassword', 'CLIENT_NOT_PUBLIC'),
  refusal(aadsts(7000218, 'invalid_client'), 'deviceCode', 'CLIENT_NOT_PUBLIC'),
  refusal(withoutNumber, 'clientSecret', 'CLIENT_SECRET_INVALID'),
  refusal(withoutNumber, 'clientCertificate', 'CLIENT_ASSERTION_REJECTED'),
  refusal(withoutNumber, 'workloadIdentity', 'CLIENT_ASSERTION_REJECTED'),
  refusal(withoutNumber, 'usernamePassword', 'CLIENT_NOT_PUBLIC'),
  refusal(withoutNumber, 'deviceCode', 'CLIENT_NOT_PUBLIC'),
  identity('refused', 'IDENTITY_ENDPOINT_REFUSED', { fix: /nothing listens at 127\.0\.0\.1:\d+/ }),
  identity('not-found', 'IDENTITY_ENDPOINT_NOT_FOUND'),
  identity('html', 'IDENTITY_ENDPOINT_RESPONSE_INVALID'),
  identity('redirect', 'IDENTITY_ENDPOINT_REDIRECTED'),
  identity('huge-body', 'IDENTITY_ENDPOINT_RESPONSE_TOO_LARGE'),
  identity('status-500', 'IDENTITY_ENDPOINT_HTTP_ERROR'),
  identity('wrong-tenant', 'TOKEN_TENANT_MISMATCH'),
  identity(status(400, unknownIdentity), 'MANAGED_IDENTITY_REJECTED', { fix: /ssign a/ }),
  identity(status(403), 'MANAGED_IDENTITY_REJECTED', { fix: /IDENTITY_HEADER/ }),
  setting({ PLATFORM_CLIENT_SECRET: '"wrong"' }, 'CLIENT_SECRET_INVALID', { fix: /quotes/, never: /^Create/ }),
  setting({ PLATFORM_CLIENT_SECRET: 'wrong ' }, 'CLIENT_SECRET_INVALID', { fix: /blanks/, never: /^Create/ }),
  setting({ PLATFORM_CLIENT_SECRET: 'wrong' }, 'CLIENT_SECRET_INVALID', {
    fix: /PLATFORM_CLIENT_SECRET/,
    // What a ticket needs.
    evidence: { errorNumber: 'AADSTS7000215', correlationId: uuid, traceId: uuid, tenantId: uuid, clientId: uuid },
  }),
  setting({ PLATFORM_CLIENT_CERTIFICATE_PATH: '', PLATFORM_CLIENT_SECRET: 's' }, 'CREDENTIAL_SETTING_MISSING', {
    mode: 'clientCertificate',
    red: ['workload'],
    fix: /AUTH_MODE=clientSecret/,
  }),
  // The metadata of another cloud doesn't explain a wrong secret.
  row({ kind: 'replaced-fields', fields: { authentication } }, 'CLIENT_SECRET_INVALID', {
    target: 'resource-manager/metadata',
    env: { PLATFORM_CLIENT_SECRET: 'wrong' },
  }),
  setting({ PATH: '/nowhere', KUBERNETES_SERVICE_HOST: '10.0.0.1' }, 'CLI_NOT_INSTALLED', {
    ...ofWorkload,
    mode: 'platformCli',
    fix: /^Set AUTH_MODE .*webhook of the cluster/,
    evidence: { problem: 'in a container' },
  }),
  setting({ AUTH_MODE: '', PATH: '/nowhere' }, 'CLI_NOT_INSTALLED', {
    ...ofWorkload,
    change: { variable: 'AUTH_MODE', value: 'clientSecret' },
  }),
  setting({ ...noFile, PLATFORM_CLOUD: 'platform-us-gov-secret' }, 'PLACEHOLDER_PROFILE', ofWorkload),
]

// The command-line tool signs in by itself, and a sign-in by a person has no token to check before its approval.
const others = new Set<EnclaveAuthMode>(['platformCli', 'default', 'deviceCode', 'clientSecret'])
const modes = enclaveAuthModes.filter((mode) => !others.has(mode))
const titled = (each: Row, mode: EnclaveAuthMode, isOwn: boolean) => {
  const title = JSON.stringify(each.fault ?? each.env)
  return { ...each, mode, isOwn, title: each.target === undefined ? title : `${title} at ${each.target}` }
}
const cases = [
  ...[...ofLogin, ...ofManager].flatMap((each, index) => [
    titled(each, 'clientSecret', true),
    titled(each, modes[index % modes.length] ?? 'clientCertificate', false),
  ]),
  ...ofMode.map((each) => titled(each, each.mode ?? 'clientSecret', true)),
]

const running = useEnclave()

/** The library reads the identity endpoint of the process, and keeps it. */
beforeAll(() => {
  const settings = running.cloud.environment('managedIdentity', running.files)
  for (const name of ['IDENTITY_ENDPOINT', 'IDENTITY_HEADER']) vi.stubEnv(name, settings[name])
})
afterAll(() => void vi.unstubAllEnvs())

/** Only the deadline ends these, so that it is short. A busy machine takes longer for all others. */
const endsByDeadline = ({ fault }: Row) => /^(silent|silent-tls|slow-drip)$/.test(fault?.kind ?? '')

async function reportOf(each: Row & { readonly mode: EnclaveAuthMode }): Promise<DiagnosticsReport> {
  const { fault, target, mode, env = {} } = each
  if (fault !== undefined) await running.cloud.setFault(fault, target)
  const known: Env = running.cloud.environment(mode, running.files)
  const deadline = { PLATFORM_TOKEN_TIMEOUT_MS: endsByDeadline(each) ? '1500' : '120000' }
  // The command-line tool is found through the environment of this process.
  const path = process.env['PATH']
  process.env['PATH'] = env['PATH'] ?? path
  const diagnostics = await createService({ ...known, ...deadline, ...env }).diagnostics(() => undefined)
  return diagnostics.report().finally(() => (process.env['PATH'] = path))
}

describe('A report', () => {
  test.each(cases)('of $title with $mode: $code', async (each) => {
    const { code, isOwn, red = ['authority'], fix, never, change, evidence } = each
    const report = await reportOf(each)
    const { rootCause, checks, diagram } = report
    expect(contradictionsOf(report)).toEqual([])
    expect(contractProblems('DiagnosticsReport', report)).toEqual([])
    expect(JSON.stringify(report)).not.toContain('UNEXPECTED')
    const failed = checks.filter(({ status: found }) => found === 'fail')
    expect(failed.filter((check) => check.fix === undefined || check.cause === undefined)).toEqual([])
    if (!isOwn) return
    expect([rootCause?.code, report.status]).toEqual([code, 'failed'])
    expect(rootCause?.fix).toMatch(fix ?? /./)
    expect(rootCause).toMatchObject({ ...(change && { change }), ...(evidence && { evidence }) })
    expect([rootCause, ...failed].filter((found) => never?.test(found?.fix ?? ''))).toEqual([])
    const ofOneCause = new Set(rootCause?.checks)
    expect(failed.filter(({ id }) => !ofOneCause.has(id))).toEqual([])
    const shown = diagram.filter((node) => node.status === 'fail').map(({ id }) => id)
    // Within a short deadline, a busy machine reaches no other host either.
    expect(endsByDeadline(each) ? shown.filter((id) => id === 'authority') : shown).toEqual(red)
  })
})
