import * as z from 'zod/mini'
import type { Exact } from '../base/json.ts'
import type { ErrorCode, NetworkRole, WarningCode } from '../errors.ts'
import { findings } from '../findings/catalog.ts'
import { warningFindings } from '../findings/warning-findings.ts'
import { cloudEnvironments } from '../profile/cloud-profile.ts'
import { layers } from '../findings/finding.ts'
import type { SelectedBy } from '../profile/explained-profile.ts'
import type { TraceStepName } from '../transport/attempt.ts'
import type { AddedAuthorities as Added } from '../transport/certificate-authorities.ts'

export type { Layer } from '../findings/finding.ts'

/**
 * The report of `/api/diagnostics`: its types, and the schemas that `docs/reference/openapi.json` is made of. Import types only: no process needs the
 * schemas at run time.
 */

// Lists of the words that a report uses and other files define as types. The compiler holds each list to its type.

const roles = [
  'AUTHORITY',
  'RESOURCE_MANAGER',
  'METADATA',
  'IDENTITY_ENDPOINT',
  'SERVICE',
] as const satisfies readonly NetworkRole[]
const glyphs = ['server', 'arrows', 'key', 'layers', 'document', 'lock', 'cylinder'] as const

/** The sign in a node of the connection diagram; `src/page/icons.ts` draws each. */
export type Glyph = (typeof glyphs)[number]

const steps = [
  'instance-discovery',
  'openid-configuration',
  'user-realm',
  'device-code',
  'token',
  'managed-identity',
  'resource-manager',
  'metadata',
  'challenge',
  'other',
] as const satisfies readonly TraceStepName[]
const selectors = [
  'default',
  'PLATFORM_CLOUD',
  'CUSTOM_CLOUD_PROFILE_PATH',
  'option',
] as const satisfies readonly SelectedBy[]
const trustVariables = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_OPTIONS=--use-system-ca',
] as const satisfies readonly Added['variable'][]
const trustStatuses = [
  'read by Node',
  'loaded by the service',
  'file unreadable',
  'file without a certificate',
  'not loaded',
  'system store unreadable',
  'system store without a certificate',
] as const satisfies readonly Added['status'][]

const text = (description: string) => z.string().check(z.describe(description))
const time = (description = 'ISO 8601.') => z.iso.datetime().check(z.describe(description))
const milliseconds = (description: string) => z.number().check(z.gte(0), z.describe(description))
const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) => Object.keys(table) as K[]

export const ReportedCode = z
  .enum(keysOf<ErrorCode>(findings))
  .check(z.describe('A code of docs/reference/findings.md.'))

export const Warning = z
  .strictObject({ code: z.enum(keysOf<WarningCode>(warningFindings)), message: z.string() })
  .check(z.describe('What an operator should know. It does not stop the service.'))

export const ReportStatus = z
  .enum(['ok', 'warning', 'failed', 'pending'])
  .check(z.describe('`pending` waits for a person; with `warning` the cloud works but needs attention.'))
export type ReportStatus = z.infer<typeof ReportStatus>

const CheckStatus = z.enum(['pass', 'warn', 'fail', 'skip'])
const RunStatus = z.enum(['pass', 'warn', 'fail'])

const Change = z
  .union([
    z.strictObject({ variable: z.string(), value: z.exactOptional(z.string()) }),
    z.strictObject({ field: z.string(), file: z.string(), value: z.exactOptional(z.string()) }),
  ])
  .check(
    z.describe(
      'The one setting that the fix changes: an environment variable, or a field of a profile file. Without a value, the reader knows it.',
    ),
  )

const diagnosis = {
  code: ReportedCode,
  message: z.string(),
  cause: text('From the findings.'),
  fix: text('From the findings, with the names of this environment.'),
  change: z.exactOptional(Change),
}
export const Diagnosis = z.strictObject(diagnosis).check(z.describe('What an operator reads of a failure.'))
export type Diagnosis = Exact<z.infer<typeof Diagnosis>>

export const RootCause = z
  .strictObject({
    ...diagnosis,
    hosts: z.exactOptional(
      z
        .array(text('`host[:port]`.'))
        .check(z.describe('The hosts that this cause concerns; absent if it concerns none.')),
    ),
    evidence: z.exactOptional(
      z
        .record(z.string(), z.string())
        .check(z.describe('The values that show it, by name, such as `issuer` or `correlationId`. Never a secret.')),
    ),
    checks: z
      .array(z.string())
      .check(z.describe('The ids of the failed checks that it explains; a failed token attempt is `token.acquired`.')),
  })
  .check(z.describe('The one cause of a failed report.'))
export type RootCause = Exact<z.infer<typeof RootCause>>

export const HostCertificate = z
  .strictObject({ subject: z.string(), issuer: z.string(), validFrom: time(), validTo: time() })
  .check(z.describe('The certificate that a host presents. Names are shortened and hold no control characters.'))
export type HostCertificate = Exact<z.infer<typeof HostCertificate>>

export const MatrixRow = z
  .strictObject({
    id: text('Of the endpoint, such as `authority` or `key-vault`.'),
    name: text('For people, such as `Login authority`.'),
    role: z.enum(roles).check(z.describe('The prefix of its network codes.')),
    host: text('`host[:port]`.'),
    layers: z
      .partialRecord(z.enum(layers), z.strictObject({ status: CheckStatus, check: text('The id of the check.') }))
      .check(z.describe('The worst check of each layer that was probed.')),
    certificate: z.exactOptional(HostCertificate),
  })
  .check(z.describe('One endpoint and how far requests to it get: a row of the probe matrix.'))
export type MatrixRow = Exact<z.infer<typeof MatrixRow>>

const NodeStatus = z
  .enum(['pass', 'warn', 'fail', 'skip', 'pending', 'here', 'none'])
  .check(z.describe('`here` is this process; `none`: there is nothing to connect to.'))
export type NodeStatus = z.infer<typeof NodeStatus>

export const DiagramNode = z
  .strictObject({
    id: text('`workload`, `proxy`, or the id of an endpoint.'),
    name: text('For people, such as `Login authority`.'),
    glyph: z.enum(glyphs),
    host: z.exactOptional(text('`host[:port]`; absent where none is configured.')),
    status: NodeStatus,
    edge: z
      .enum(['pass', 'warn', 'fail', 'skip', 'none'])
      .check(z.describe('Status of the connection that leads here.')),
    trouble: z.exactOptional(text('The failure in two or three words.')),
  })
  .check(z.describe('One node of the connection diagram with the edge that leads to it.'))
export type DiagramNode = Exact<z.infer<typeof DiagramNode>>

export const HistoryEntry = z
  .strictObject({
    at: time(),
    status: ReportStatus,
    code: z.exactOptional(ReportedCode),
    durationMs: z.exactOptional(milliseconds('Milliseconds of its token attempt.')),
  })
  .check(z.describe('One earlier diagnostics run. `code` is that of its root cause, if it failed.'))
export type HistoryEntry = Exact<z.infer<typeof HistoryEntry>>

const Instance = z
  .strictObject({
    hostName: z.string(),
    process: text(
      'A number below 4,096 that distinguishes this process from the others behind one address; the label `process` of its metrics.',
    ),
    startedAt: time(),
    id: z.exactOptional(text('What the platform calls this instance, shortened; absent where it names none.')),
  })
  .check(z.describe('The process that responds.'))
export type Instance = Exact<z.infer<typeof Instance>>

export const Check = z
  .strictObject({
    id: text('Stable and dotted, such as `authority.tls`. The part before the first dot is its endpoint, or `token`.'),
    status: CheckStatus,
    message: text('What was found; for a skipped check, why it was skipped.'),
    durationMs: milliseconds('Milliseconds.'),
    code: z.exactOptional(diagnosis.code),
    cause: z.exactOptional(diagnosis.cause),
    fix: z.exactOptional(diagnosis.fix),
    change: diagnosis.change,
  })
  .check(z.describe('One check of this environment.'))
export type Check = Exact<z.infer<typeof Check>>

const SignIn = z
  .strictObject({ userCode: z.string(), verificationUri: z.string(), expiresOn: text('ISO 8601.') })
  .check(z.describe('A sign-in that waits for a person.'))
export type SignIn = Exact<z.infer<typeof SignIn>>

const TraceStep = z
  .strictObject({
    step: z.enum(steps),
    method: z.string(),
    host: z.string(),
    path: z.string(),
    outcome: z.union([z.literal('ok'), ReportedCode]),
    status: z.exactOptional(z.int().check(z.describe('HTTP status; absent without a response.'))),
    durationMs: milliseconds('Milliseconds.'),
  })
  .check(z.describe('One request: host and path, never a query, body or header.'))

export const TokenResult = z
  .strictObject({
    status: z.enum(['acquired', 'failed', 'pending', 'skipped']),
    scope: z.string(),
    expiresOn: z.exactOptional(time('ISO 8601, if acquired.')),
    durationMs: milliseconds('Milliseconds of the attempt.'),
    cached: z.boolean().check(z.describe('Whether the result was cached.')),
    error: z.exactOptional(Diagnosis),
    signIn: z.exactOptional(SignIn),
    trace: z.exactOptional(z.array(TraceStep).check(z.describe('The last requests of the attempt, in order.'))),
  })
  .check(z.describe('The outcome of the last token attempt, without the token.'))
export type TokenResult = Exact<z.infer<typeof TokenResult>>

const Identity = z
  .strictObject({
    tenantId: z.exactOptional(z.string()),
    clientId: z.exactOptional(z.string()),
    objectId: z.exactOptional(z.string()),
    subscriptionId: z.exactOptional(z.string()),
  })
  .check(z.describe('Who the token says this workload is; before a token, what the settings say.'))
export type Identity = Exact<z.infer<typeof Identity>>

export const SmokeTestResult = z
  .strictObject({
    profile: z.string(),
    status: RunStatus,
    checks: z.array(Check),
    warnings: z.array(Warning),
    notes: z.exactOptional(
      z
        .array(Warning)
        .check(
          z.describe(
            'What would be a warning if the profile were in use: the placeholders of a built-in. And what an on-premises stack cannot host.',
          ),
        ),
    ),
    rootCause: z.exactOptional(RootCause),
    hosts: z.exactOptional(z.array(MatrixRow)),
  })
  .check(
    z.describe('The result of checking one profile. Root cause and probe matrix exist only if a token was requested.'),
  )
export type SmokeTestResult = Exact<z.infer<typeof SmokeTestResult>>

export const SmokeTestRun = z
  .strictObject({
    status: RunStatus,
    startedAt: time(),
    durationMs: milliseconds('Milliseconds.'),
    results: z.array(SmokeTestResult),
  })
  .check(z.describe('One run over several profiles.'))
export type SmokeTestRun = Exact<z.infer<typeof SmokeTestRun>>

const AddedAuthorities = z.strictObject({
  variable: z.enum(trustVariables),
  status: z.enum(trustStatuses),
  certificates: z.int().check(z.describe('How many certificates the file or store holds.')),
  reason: z.exactOptional(text('Why a file cannot be read, such as `ENOENT`.')),
})

const Runtime = z
  .strictObject({
    node: z.string(),
    openssl: z.string(),
    fips: z.boolean(),
    trustStore: z.strictObject({
      certificates: z.int().check(z.describe('How many certificate authorities connections trust.')),
      sources: z
        .array(z.string())
        .check(z.describe('Where they come from: `bundled`, and the variables that added some.')),
      added: z.array(AddedAuthorities).check(z.describe('What became of each variable that is set to add some.')),
    }),
    proxy: z.boolean().check(z.describe('Whether a proxy would be used, without its address.')),
  })
  .check(z.describe('What this process runs on and trusts.'))
export type Runtime = Exact<z.infer<typeof Runtime>>

const ProfileSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('built-in'), name: z.string() }),
  z.strictObject({ kind: z.literal('file'), path: z.string() }),
  z.strictObject({ kind: z.literal('option') }),
])

const ReportedCloud = z.strictObject({
  name: z.string(),
  displayName: z.string(),
  environment: z.enum(cloudEnvironments),
  authorityHost: z.string(),
  resourceManagerEndpoint: z.string(),
  resourceManagerAudience: z.string(),
  disableInstanceDiscovery: z.boolean(),
  placeholder: z.boolean(),
  source: ProfileSource,
  selectedBy: z.enum(selectors).check(z.describe('Why this profile: no variable chose one, or the variable that did.')),
  overrides: z.array(z.string()).check(z.describe('The override variables that took effect, by name.')),
})

const origin = { value: z.string(), from: z.string() }
const ExplainedField = z
  .strictObject({ ...origin, overridden: z.exactOptional(z.array(z.strictObject(origin))) })
  .check(z.describe('A value, who gave it, and the overridden values, strongest first.'))

export const DiagnosticsReport = z
  .strictObject({
    status: ReportStatus,
    version: text('Of this build, such as `1.0.0`.'),
    instance: Instance,
    rootCause: z.exactOptional(RootCause),
    checkedAt: time(),
    cloud: ReportedCloud,
    authMode: z.string(),
    authModeFrom: text('`AUTH_MODE`, or `detected:` and the variable that the host sets.'),
    audienceFrom: text(
      'Where the audience of the token comes from: `profile`, a variable, `derived from VARIABLE`, or `discovered`.',
    ),
    credential: z.string(),
    token: TokenResult,
    identity: Identity,
    clockSkewSeconds: z.exactOptional(
      z
        .number()
        .check(
          z.describe(
            "Seconds that this machine's clock is ahead of the login authority's; absent without a response to compare.",
          ),
        ),
    ),
    credentialExpiresOn: z.exactOptional(time('ISO 8601: when the client certificate expires; absent in other modes.')),
    checks: z.array(Check),
    hosts: z.exactOptional(
      z.array(MatrixRow).check(z.describe('The probe matrix: one row per endpoint that was probed.')),
    ),
    diagram: z.exactOptional(
      z
        .array(DiagramNode)
        .check(
          z.describe(
            'The connection diagram: this workload, the proxy, then every endpoint of the table, configured or not.',
          ),
        ),
    ),
    warnings: z.array(Warning),
    smokeTest: z.nullable(SmokeTestRun).check(z.describe('The last scheduled run of this process.')),
    metadataHost: z.exactOptional(
      text('Address at which this service is a metadata host. Absent unless PLATFORM_SERVE_METADATA is true.'),
    ),
    runtime: Runtime,
    history: z.exactOptional(
      z.array(HistoryEntry).check(z.describe('Earlier runs of this process, oldest first; only with `?history=true`.')),
    ),
    fields: z.exactOptional(
      z
        .record(z.string(), ExplainedField)
        .check(z.describe("Each field's value and origin; only with `?explain=true`.")),
    ),
  })
  .check(z.describe('The body of `/api/diagnostics`. `rootCause` is present if the status is `failed`.'))
export type DiagnosticsReport = Exact<z.infer<typeof DiagnosticsReport>>
