import type { PageInput } from '../../src/page/page.ts'
import { configuredEndpoints } from '../../src/lib/diagnostics/endpoint-table.ts'
import { nodeOf } from '../../src/lib/diagnostics/conclude.ts'
import { drawDiagram, drawMatrix } from '../../src/lib/diagnostics/matrix.ts'
import { findings, generalFix } from '../../src/lib/findings/catalog.ts'
import { placed } from './placed.ts'
import type { Check, DiagnosticsReport, Diagnosis } from '../../src/lib/diagnostics/report.ts'
import { warningFindings } from '../../src/lib/findings/warning-findings.ts'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import type { ExplainedProfile } from '../../src/lib/profile/explained-profile.ts'
import { fieldPaths, withValueAt, isPlaceholder } from '../../src/lib/profile/field-path.ts'
import { valueAt } from '../../src/lib/base/json.ts'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'

const checkedAt = '2026-11-21T02:10:00.000Z'

const diagnosis = (code: keyof typeof findings, message: string): Diagnosis => ({
  code,
  message,
  cause: findings[code].cause,
  fix: generalFix(findings[code]),
})
const untrusted = diagnosis(
  'AUTHORITY_UNTRUSTED',
  'The certificate of login.microsoftonline.us was issued under "Enclave Root CA 2", which is not trusted (SELF_SIGNED_CERT_IN_CHAIN). Node trusts 146 certificate authorities here; NODE_EXTRA_CA_CERTS is not set',
)
const audience = diagnosis(
  'CHALLENGE_AUDIENCE_MISMATCH',
  'management.usgovcloudapi.net asks for tokens for https://management.core.usgovcloudapi.net/',
)
const skew = diagnosis('CLOCK_SKEW', 'The local clock is 4 min behind the clock of the login authority')
const placeholder = diagnosis(
  'PLACEHOLDER_PROFILE',
  'No token was asked for: authorityHost, resourceManagerAudience still hold placeholders',
)

const pass = (id: string, message: string, durationMs = 0): Check => ({ id, status: 'pass', message, durationMs })

/** The checks of a host in a diagnostics run. `test/browser/service.test.ts` compares the ids with the product's. */
const hostChecks = (group: string, host: string, answer: string): readonly Check[] => [
  pass(`${group}.proxy`, `No proxy variable applies to ${host}`),
  pass(`${group}.dns`, `${host} resolves to 20.140.232.7 and 3 more`, 3),
  pass(`${group}.tcp`, `${host} accepts connections on port 443`, 11),
  pass(`${group}.tls`, 'TLSv1.3, certificate issued by "Enclave Issuing CA 1", expires in 102 days', 24),
  pass(`${group}.${answer}`, `${host} answers as it should`, 96),
]

const login = 'login.microsoftonline.us'
const management = 'management.usgovcloudapi.net'

const passing: readonly Check[] = [
  ...hostChecks('authority', login, 'document'),
  pass('authority.issuer', 'The issuer is on the host of the authority'),
  pass('authority.token-endpoint', 'The token endpoint is on a host that may receive credentials'),
  pass('authority.clock', 'The local clock agrees with the login authority'),
  ...hostChecks('resource-manager', management, 'challenge'),
  pass('metadata.document', `${management} answers with its metadata`, 61),
  pass('metadata.matches-profile', 'The metadata agrees with the profile'),
  ...hostChecks('key-vault', 'enclave-prod.vault.usgovcloudapi.net', 'challenge'),
  ...hostChecks('storage', 'enclaveprodlogs.blob.core.usgovcloudapi.net', 'challenge'),
  pass('token.acquired', 'A token was acquired', 41),
  pass('token.audience', 'The token is for the audience of the profile'),
  pass('token.tenant', 'The token is from the requested tenant'),
  pass('token.issuer', 'The issuer belongs to the authority of the profile'),
  pass('token.lifetime', 'The token is valid now'),
  pass('resource-manager.accepts-token', 'The resource manager accepts the token', 1240),
  pass('key-vault.accepts-token', 'The key vault accepts its token', 88),
  pass('storage.accepts-token', 'The storage account accepts its token', 93),
]

/** Matrix and diagram of some checks, as the report has them. */
export function drawn(
  profile: CloudProfile,
  { checks, instance, runtime, token }: Pick<DiagnosticsReport, 'checks' | 'instance' | 'runtime' | 'token'>,
): Required<Pick<DiagnosticsReport, 'hosts' | 'diagram'>> {
  const accounts = { keyVault: 'enclave-prod', storageAccount: 'enclaveprodlogs' }
  const endpoints = configuredEndpoints(profile, accounts)
  const found = checks.map(placed).map((check) => {
    const endpoint = endpoints.find(({ id }) => check.id === `${id}.tls`)
    if (endpoint === undefined) return check
    const certificate = {
      subject: endpoint.url.host,
      issuer: 'Enclave Issuing CA 1',
      validFrom: '2026-03-02T00:00:00.000Z',
      validTo: endpoint.id === 'key-vault' ? '2026-12-09T00:00:00.000Z' : '2027-03-03T00:00:00.000Z',
    }
    return { ...check, certificate }
  })
  const isTrouble = ({ status }: Pick<Check, 'status'>) => status === 'fail' || status === 'warn'
  const decided = found.map((check) => ({
    ...check,
    node: isTrouble(check) ? nodeOf(check) : (check.endpoint ?? 'workload'),
  }))
  const hosts = [...drawMatrix(endpoints, decided, token)]
  const diagram = drawDiagram(hosts, decided, token, runtime.proxy)
  return {
    hosts,
    diagram: diagram.map((node) => (node.id === 'workload' ? { ...node, host: instance.hostName } : node)),
  }
}

/** The same with some checks replaced, and the rest of a group after a failed one skipped. */
function withChecks(...replaced: readonly Check[]): readonly Check[] {
  const stopped = new Set<string>()
  return passing.map((check) => {
    const found = replaced.find(({ id }) => id === check.id) ?? check
    const [group = ''] = found.id.split('.')
    if (stopped.has(group)) return skipped(found.id, `Skipped: ${group} failed`)
    if (found.status === 'fail' && group !== 'token') stopped.add(group)
    return found
  })
}

function skipped(id: string, message: string): Check {
  return { id, status: 'skip', message, durationMs: 0 }
}

function fail(id: string, diagnosis: Diagnosis): Check {
  return { id, status: 'fail', durationMs: 18, ...diagnosis }
}

function explained(name: string, env: Record<string, string> = {}): ExplainedProfile {
  return explainProfile({ name, env })
}

function sample(cloud: ExplainedProfile, partial: Partial<DiagnosticsReport>): PageInput {
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } =
    cloud.profile
  const report: DiagnosticsReport = {
    status: 'ok',
    version: '2.0.0',
    instance: { hostName: 'enclave-worker-7', process: '1018', startedAt: '2026-11-19T08:00:12.000Z' },
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
      selectedBy: cloud.selectedBy,
      overrides: [],
    },
    authMode: 'clientSecret',
    authModeFrom: 'AUTH_MODE',
    audienceFrom: 'profile',
    credential: 'ClientSecretCredential',
    token: {
      status: 'acquired',
      scope: `${resourceManagerAudience}.default`,
      expiresOn: '2026-11-21T02:52:58.000Z',
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
    smokeTest: scheduled('pass'),
    runtime: {
      node: 'v24.11.1',
      openssl: '3.5.4',
      fips: false,
      trustStore: {
        certificates: 146,
        sources: ['bundled', 'NODE_EXTRA_CA_CERTS'],
        added: [{ variable: 'NODE_EXTRA_CA_CERTS', status: 'loaded by the service', certificates: 1 }],
      },
      proxy: false,
    },
    ...partial,
  }
  return {
    profile: cloud,
    warnings: report.warnings.map((warning) => ({ ...warning, ...warningFindings[warning.code] })),
    now: new Date(checkedAt),
    report: { ...report, ...(partial.hosts === undefined ? drawn(cloud.profile, report) : {}) },
  }
}

const government = explained('platform-us-government', { PLATFORM_TENANT_ID: '7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10' })
const scope = `${government.profile.resourceManagerAudience}.default`

function scheduled(status: 'pass' | 'fail'): DiagnosticsReport['smokeTest'] {
  return {
    status,
    startedAt: '2026-11-21T02:00:00.000Z',
    durationMs: 812,
    results: [
      { profile: 'platform-commercial', status: 'pass', checks: [], warnings: [] },
      {
        profile: 'platform-us-government',
        status,
        warnings: [],
        checks: status === 'fail' ? [fail('token.acquired', untrusted)] : [],
      },
      {
        profile: 'platform-us-gov-secret',
        status: 'warn',
        checks: [],
        warnings: explained('platform-us-gov-secret').warnings,
      },
    ],
  }
}

export const samples = {
  ok: sample(government, {}),
  warning: sample(government, {
    status: 'warning',
    checks: withChecks({ ...fail('authority.clock', skew), status: 'warn' }),
    warnings: [
      {
        code: 'LIBRARY_VARIABLE_IGNORED',
        message: 'AZURE_AUTHORITY_HOST is ignored here: authorityHost of the profile (PLATFORM_AUTHORITY_HOST) decides',
      },
    ],
  }),
  failed: sample(government, {
    status: 'failed',
    token: { status: 'failed', scope, durationMs: 127, cached: true, error: untrusted },
    rootCause: {
      ...untrusted,
      hosts: [login],
      evidence: { issuer: 'Enclave Root CA 2', subject: login, trustStore: '146 certificate authorities' },
      checks: ['authority.tls', 'token.acquired'],
    },
    checks: withChecks(
      fail('authority.tls', untrusted),
      fail('resource-manager.challenge', audience),
      fail('token.acquired', untrusted),
    ).filter(({ id }) => !/^token\.(?!acquired)|accepts/.test(id)),
    identity: { tenantId: '7d1c8f6e-2f0a-4b54-9a7e-0c5f2f8f9b10' },
    smokeTest: scheduled('fail'),
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
    checks: withChecks(skipped('token.acquired', 'A person must approve the sign-in')).filter(
      ({ id }) => !/^token\.(?!acquired)|accepts/.test(id),
    ),
    identity: {},
    smokeTest: null,
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
    rootCause: { ...placeholder, checks: ['token.acquired'] },
    checks: [
      skipped('authority.proxy', 'login.secret.placeholder.invalid is a placeholder'),
      skipped('authority.dns', 'login.secret.placeholder.invalid is a placeholder'),
      fail('token.acquired', placeholder),
    ],
    identity: {},
  }),
} satisfies Record<string, PageInput>

/** Keys whose values are words of the report's type, never a text from outside. */
const fixed = new Set(['status', 'kind', 'by', 'role', 'glyph', 'edge', 'code', 'variable', 'selectedBy', 'checkedAt'])
/** Ids that the page treats in a special way. */
const ownIds = new Set(['workload', 'proxy', 'authority'])

function withText<T>(value: T, text: string): T {
  if (typeof value === 'string') return (ownIds.has(value) ? value : text) as T
  if (Array.isArray(value)) return value.map((each: unknown) => withText(each, text)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    if (key === 'verificationUri') return [key, `javascript:alert(1)//${text}`]
    return [key, fixed.has(key) ? each : withText(each, text)]
  })
  return Object.fromEntries(entries) as T
}

/** Puts one text, made with the field's path, into every field of a profile, and another one into every text of its report. */
export function withHostileProfile(hostile: (path: string) => string, status: 'failed' | 'pending'): PageInput {
  let profile: CloudProfile = government.profile
  const fields: Record<string, ExplainedProfile['fields'][keyof ExplainedProfile['fields']]> = {}
  for (const path of fieldPaths) {
    profile = withValueAt(profile, path, hostile(path))
    const value = String(valueAt(profile, path))
    const overridden = [{ value, by: 'derived' as const, from: hostile('from') }]
    fields[path] = { value, by: 'variable', from: hostile('path'), overridden }
  }
  const text = hostile('report')
  const { report, warnings } = samples.failed
  const token = { ...report.token, status, signIn: samples.pending.report.token.signIn }
  const shown = withText({ ...report, status, token } as DiagnosticsReport, text)
  return {
    profile: { ...government, profile, fields, source: { kind: 'file', path: hostile('path') } },
    warnings: withText(warnings ?? [], text),
    now: new Date(checkedAt),
    report: {
      ...shown,
      ...(shown.rootCause && { rootCause: { ...shown.rootCause, code: 'UNEXPECTED', evidence: { [text]: text } } }),
    },
    banner: text,
  }
}
