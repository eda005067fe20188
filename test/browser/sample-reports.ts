import { headlineOf } from '../../src/lib/diagnostics/headline.ts'
import type { PageInput } from '../../src/page/page-input.ts'
import type { Check, DiagnosticsReport, Explanation } from '../../src/lib/diagnostics/report.ts'
import { warningFindings } from '../../src/lib/findings/warning-findings.ts'
import type { CloudProfile } from '../../src/lib/profile/cloud-profile.ts'
import type { ExplainedProfile } from '../../src/lib/profile/explained-profile.ts'
import { fieldPaths, valueAt, withValueAt } from '../../src/lib/profile/field-path.ts'
import { viewProfile } from '../../src/lib/profile/profile-view.ts'
import { isPlaceholder } from '../../src/lib/profile/placeholders.ts'
import { explainCloudProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'

const checkedAt = '2026-11-21T02:10:00.000Z'

const untrusted: Explanation = {
  code: 'AUTHORITY_UNTRUSTED',
  message: 'login.microsoftonline.us presents a certificate signed by "Enclave Root CA 2", which Node does not trust',
  cause:
    'The login authority’s certificate comes from a private certificate authority that this process does not know.',
  fix: 'Put the root certificate of "Enclave Root CA 2" into a PEM file and start the service with\nNODE_EXTRA_CA_CERTS=/etc/ssl/enclave-root.pem',
}

const placeholder: Explanation = {
  code: 'PLACEHOLDER_PROFILE',
  message: 'No token was asked for: authorityHost, resourceManagerAudience still hold placeholders',
  cause: 'The built-in profile of this cloud names no real host; only the cloud’s operator can give them out.',
  fix: 'Replace the fields below by override variables or a custom profile file.',
}

const passing: readonly Check[] = [
  { id: 'authority.dns', status: 'pass', message: 'login.microsoftonline.us has 4 addresses', durationMs: 3 },
  { id: 'authority.tcp', status: 'pass', message: 'Port 443 answers', durationMs: 11 },
  { id: 'authority.tls', status: 'pass', message: 'TLS 1.3, certificate valid until 2027-03-02', durationMs: 24 },
  { id: 'authority.document', status: 'pass', message: 'The OpenID document names this authority', durationMs: 31 },
  { id: 'authority.clock', status: 'pass', message: 'The clocks differ by less than 1 s', durationMs: 0 },
  { id: 'token.audience', status: 'pass', message: 'The token is for the resource manager', durationMs: 0 },
  { id: 'resourceManager.accepts', status: 'pass', message: 'The resource manager accepts it', durationMs: 1240 },
  { id: 'metadata.document', status: 'skip', message: 'The profile has no metadataEndpoint', durationMs: 0 },
]

function explained(name: string, env: Record<string, string> = {}): ExplainedProfile {
  return explainCloudProfile({ name, env })
}

function sample(cloud: ExplainedProfile, changes: Partial<DiagnosticsReport>): PageInput {
  const { status = 'ok', checks = passing } = changes
  const headline = headlineOf({ status, checks })
  const report = { ...changes, ...(headline === undefined ? {} : { headline }) }
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } =
    cloud.profile
  return {
    profile: viewProfile(cloud),
    warnings: (report.warnings ?? cloud.warnings).map((warning) => ({ ...warning, ...warningFindings[warning.code] })),
    now: new Date(checkedAt),
    report: {
      status: 'ok',
      version: '1.0.0',
      instance: { hostName: 'enclave-host', startedAt: '2026-11-20T22:00:00.000Z', id: 'a1b2c3d4e5f6' },
      checkedAt,
      cloud: {
        name,
        displayName,
        environment,
        authorityHost,
        resourceManagerEndpoint,
        resourceManagerAudience,
        disableInstanceDiscovery: isPlaceholder(authorityHost),
        placeholder: isPlaceholder(authorityHost),
        source: cloud.source,
        overrides: [],
      },
      authMode: 'clientSecret',
      credential: 'ClientSecretCredential',
      token: {
        status: 'acquired',
        scope: `${resourceManagerAudience}.default`,
        expiresOn: '2026-11-21T03:09:58.000Z',
        durationMs: 41,
        cached: false,
      },
      identity: {
        tenantId: '7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10',
        clientId: '2b0a9e0c-6a35-4d5e-8c55-1f8f0f6f4a21',
        objectId: 'e5a3c1b7-90d2-4e6f-b1a8-37c4d9e2f605',
      },
      checks: passing,
      warnings: cloud.warnings,
      smokeTest: null,
      runtime: {
        node: 'v24.11.1',
        openssl: '3.5.4',
        fips: false,
        trustStore: { certificates: 146, sources: ['bundled', 'NODE_EXTRA_CA_CERTS'] },
        proxy: false,
      },
      ...report,
    },
  }
}

const government = explained('platform-us-government', { PLATFORM_TENANT_ID: '7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10' })
const scope = `${government.profile.resourceManagerAudience}.default`

const scheduled: DiagnosticsReport['smokeTest'] = {
  status: 'fail',
  startedAt: '2026-11-21T02:00:00.000Z',
  durationMs: 812,
  results: [
    { profile: 'platform-commercial', status: 'pass', checks: [], warnings: [] },
    { profile: 'platform-us-government', status: 'fail', warnings: [], checks: [fail('authority.tls', untrusted)] },
    {
      profile: 'platform-us-gov-secret',
      status: 'warn',
      checks: [],
      warnings: explained('platform-us-gov-secret').warnings,
    },
  ],
}

function fail(id: string, explanation: Explanation): Check {
  return { id, status: 'fail', durationMs: 18, ...explanation }
}

/** A page in each state the service knows. */
export const samples = {
  ok: sample(government, {}),
  warning: sample(government, {
    status: 'warning',
    checks: [
      {
        id: 'authority.clock',
        status: 'warn',
        code: 'CLOCK_SKEW',
        message: 'This machine’s clock is 140 s behind login.microsoftonline.us',
        cause: 'The clock of this machine is not kept by a time server.',
        fix: 'Point the machine at the enclave’s time server; tokens fail when the clocks differ by 5 minutes.',
        durationMs: 31,
      },
      ...passing.filter((check) => check.id !== 'authority.clock'),
    ],
    warnings: [
      {
        code: 'LIBRARY_VARIABLE_IGNORED',
        message: 'AZURE_AUTHORITY_HOST is set but has no effect: the profile gives the authority host',
      },
    ],
    smokeTest: scheduled,
  }),
  failed: sample(government, {
    status: 'failed',
    token: { status: 'failed', scope, durationMs: 127, cached: true, error: untrusted },
    checks: [
      ...passing.slice(0, 2),
      fail('authority.tls', untrusted),
      {
        id: 'resourceManager.challenge',
        status: 'fail',
        code: 'CHALLENGE_AUDIENCE_MISMATCH',
        message: 'The resource manager asks for https://management.core.usgovcloudapi.net/',
        cause: 'The profile names an audience that this resource manager does not know.',
        fix: 'Set PLATFORM_RESOURCE_MANAGER_AUDIENCE=https://management.core.usgovcloudapi.net/',
        durationMs: 96,
      },
      { id: 'authority.document', status: 'skip', message: 'authority.tls failed', durationMs: 0 },
      { id: 'token.audience', status: 'skip', message: 'There is no token', durationMs: 0 },
    ],
    identity: { tenantId: '7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10' },
    smokeTest: scheduled,
  }),
  pending: sample(government, {
    status: 'pending',
    authMode: 'deviceCode',
    credential: 'DeviceCodeCredential',
    token: {
      status: 'pending',
      scope,
      durationMs: 210,
      cached: false,
      signIn: {
        userCode: 'HJ7K-2QXP',
        verificationUri: 'https://login.microsoftonline.us/device',
        expiresOn: '2026-11-21T02:24:32.000Z',
      },
    },
    checks: passing.slice(0, 5),
    identity: {},
  }),
  placeholder: sample(explained('platform-us-gov-secret'), {
    status: 'failed',
    authMode: 'managedIdentity',
    credential: 'ManagedIdentityCredential',
    token: {
      status: 'failed',
      scope: 'https://management.secret.placeholder.invalid/.default',
      durationMs: 0,
      cached: false,
      error: placeholder,
    },
    checks: [fail('profile.placeholders', placeholder), { ...fail('authority.dns', placeholder), status: 'skip' }],
    identity: {},
  }),
} satisfies Record<string, PageInput>

/** Puts one text, made with the field's path, into every field of a profile and everything derived from it. */
export function withHostileProfile(hostile: (path: string) => string, status: DiagnosticsReport['status']): PageInput {
  let profile: CloudProfile = government.profile
  const fields: Record<string, ExplainedProfile['fields'][keyof ExplainedProfile['fields']]> = {}
  for (const path of fieldPaths) {
    profile = withValueAt(profile, path, hostile(path))
    const value = String(valueAt(profile, path))
    fields[path] = { value, from: `file ${hostile('path')}`, beat: [{ value, from: hostile('from') }] }
  }
  const text = hostile('report')
  const explanation: Explanation = { code: 'UNEXPECTED', message: text, cause: text, fix: text }
  const cloud: ExplainedProfile = {
    profile,
    fields,
    source: { kind: 'file', path: hostile('path') },
    warnings: [{ code: 'UNKNOWN_FIELD', message: text }],
  }
  return {
    ...sample(cloud, {
      status,
      authMode: text,
      credential: text,
      token: {
        status: status === 'pending' ? 'pending' : 'failed',
        scope: text,
        durationMs: 1,
        cached: false,
        error: explanation,
        signIn: { userCode: text, verificationUri: `javascript:alert(1)//${text}`, expiresOn: text },
      },
      identity: { tenantId: text, clientId: text, objectId: text, subscriptionId: text },
      checks: [fail(text, explanation), { id: text, status: 'skip', message: text, durationMs: 0 }],
      smokeTest: {
        status: 'fail',
        startedAt: text,
        durationMs: 1,
        results: [{ profile: text, status: 'fail', checks: [fail(text, explanation)], warnings: [] }],
      },
    }),
    banner: { text },
  }
}
