import * as z from 'zod/mini'
import type { Exact } from '../base/json.ts'
import type { ErrorCode, WarningCode } from '../errors.ts'
import { findings } from '../findings/catalog.ts'
import { subjects } from '../findings/network-faults.ts'
import { warningFindings } from '../findings/warning-findings.ts'
import { cloudEnvironments } from '../clouds/cloud-profile.ts'
import { layers } from '../findings/finding.ts'
import type { SelectedBy } from '../profile/explained-profile.ts'
import { traceSteps } from '../transport/attempt.ts'
import { trustStatuses, trustVariables } from '../transport/certificate-authorities.ts'

export type { Layer } from '../findings/finding.ts'

// The report of `/api/diagnostics`: its types, and the schemas that `docs/reference/openapi.json` is made of. Import only its types: no process
// needs the schemas at run time.

const glyphs = ['server', 'arrows', 'key', 'layers', 'document', 'lock', 'cylinder'] as const

/** The icon of a node in the connection diagram. */
export type Glyph = (typeof glyphs)[number]

const about = <T extends z.ZodMiniType>(description: string, schema: T): T => schema.check(z.describe(description))
const text = (description: string) => about(description, z.string())
const time = (description = 'ISO 8601.') => about(description, z.iso.datetime())
const milliseconds = (description: string) => z.number().check(z.gte(0), z.describe(description))
const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) => Object.keys(table) as K[]
const object = <S extends z.core.$ZodShape>(description: string, shape: S) => about(description, z.strictObject(shape))
const maybe = <T extends z.ZodMiniType>(description: string, schema: T) => z.exactOptional(about(description, schema))

export const ReportedCode = about('A code of docs/reference/findings.md.', z.enum(keysOf<ErrorCode>(findings)))

export const Warning = object('Something an operator should know. It does not stop the service.', {
  code: z.enum(keysOf<WarningCode>(warningFindings)),
  message: z.string(),
  field: maybe('Dotted path of the profile field.', z.string()),
  commands: z.exactOptional(z.array(text('For a shell.'))),
})

export const ReportStatus = about(
  '`pending`: a person must sign in. `warning`: the service works, but needs attention.',
  z.enum(['ok', 'warning', 'failed', 'pending']),
)
export type ReportStatus = z.infer<typeof ReportStatus>

const checkStatuses = ['pass', 'warn', 'fail', 'skip'] as const
const CheckStatus = z.enum(checkStatuses)
const RunStatus = z.enum(['pass', 'warn', 'fail'])

const Change = about(
  'The one setting that the fix changes: an environment variable, or a field of a profile file. The value is absent if only the reader knows it.',
  z.union([
    z.strictObject({ variable: z.string(), value: z.exactOptional(z.string()) }),
    z.strictObject({ field: z.string(), file: z.string(), value: z.exactOptional(z.string()) }),
  ]),
)

const diagnosis = {
  code: ReportedCode,
  message: z.string(),
  cause: text('From the findings.'),
  fix: text('From the findings, with the names of this environment.'),
  change: z.exactOptional(Change),
}
export const Diagnosis = object('A failure with its cause and fix.', diagnosis)
export type Diagnosis = Exact<z.infer<typeof Diagnosis>>

export const RootCause = object('The one cause of a failed report.', {
  ...diagnosis,
  hosts: maybe('The hosts that this cause concerns; absent if it concerns none.', z.array(text('`host[:port]`.'))),
  evidence: maybe('The values that prove it, by name, such as `issuer`. No secrets.', z.record(z.string(), z.string())),
  checks: about('The ids of the failed checks that it explains, such as `token.acquired`.', z.array(z.string())),
})
export type RootCause = Exact<z.infer<typeof RootCause>>

export const HostCertificate = object(
  'The certificate of a host. Names are shortened and without control characters.',
  {
    subject: z.string(),
    issuer: z.string(),
    validFrom: time(),
    validTo: time(),
  },
)
export type HostCertificate = Exact<z.infer<typeof HostCertificate>>

const Cell = z.strictObject({ status: CheckStatus, check: text('The id of the check.') })

export const MatrixRow = object('A row of the probe matrix: an endpoint, and how far requests to it get.', {
  id: text("The endpoint's id, such as `authority` or `key-vault`."),
  name: text('A name for people, such as `Login authority`.'),
  role: about('The prefix of its network codes.', z.enum(keysOf(subjects))),
  host: text('`host[:port]`.'),
  layers: about('The worst check of each layer that was probed.', z.partialRecord(z.enum(layers), Cell)),
  certificate: z.exactOptional(HostCertificate),
})
export type MatrixRow = Exact<z.infer<typeof MatrixRow>>

export const DiagramNode = object('A node of the connection diagram, with the edge that leads to it.', {
  id: text('`workload`, `proxy`, or the id of an endpoint.'),
  name: text('A name for people, such as `Login authority`.'),
  glyph: z.enum(glyphs),
  host: z.exactOptional(text('`host[:port]`. Absent if none is configured.')),
  status: about('`here`: this process. `none`: not configured.', z.enum([...checkStatuses, 'none', 'pending', 'here'])),
  edge: about('The status of the connection to the node.', z.enum([...checkStatuses, 'none'])),
  trouble: z.exactOptional(text('The short name of the failure.')),
})
export type DiagramNode = Exact<z.infer<typeof DiagramNode>>

const Instance = object('The process that responded.', {
  hostName: z.string(),
  process: text('The process id.'),
  startedAt: time(),
  id: z.exactOptional(text("The platform's id of this instance, shortened. Absent on a platform without such ids.")),
})
export type Instance = Exact<z.infer<typeof Instance>>

export const Check = object('One check of this environment.', {
  id: text('Stable, such as `authority.tls`. The part before the first dot is the id of the endpoint, or `token`.'),
  status: CheckStatus,
  message: text('The result. For a skipped check, the reason.'),
  durationMs: milliseconds('Milliseconds.'),
  code: z.exactOptional(diagnosis.code),
  cause: z.exactOptional(diagnosis.cause),
  fix: z.exactOptional(diagnosis.fix),
  change: diagnosis.change,
})
export type Check = Exact<z.infer<typeof Check>>

const SignIn = object('A sign-in that waits for a person.', {
  userCode: z.string(),
  verificationUri: z.string(),
  expiresOn: text('ISO 8601.'),
})
export type SignIn = Exact<z.infer<typeof SignIn>>

const TraceStep = object('One request: host and path, never a query, body or header.', {
  step: z.enum(traceSteps),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  outcome: z.union([z.literal('ok'), ReportedCode]),
  status: maybe('HTTP status; absent without a response.', z.int()),
  durationMs: milliseconds('Milliseconds.'),
})

export const TokenResult = object('The outcome of the last token attempt, without the token.', {
  status: z.enum(['acquired', 'failed', 'pending', 'skipped']),
  scope: z.string(),
  expiresOn: z.exactOptional(time('ISO 8601, if acquired.')),
  problem: maybe('If acquired: why the token is not valid, such as `TOKEN_EXPIRED`.', ReportedCode),
  durationMs: milliseconds('Milliseconds of the attempt.'),
  cached: about('Whether the result was cached.', z.boolean()),
  error: z.exactOptional(Diagnosis),
  signIn: z.exactOptional(SignIn),
  trace: maybe('The last requests of the attempt, in order.', z.array(TraceStep)),
})
export type TokenResult = Exact<z.infer<typeof TokenResult>>

const Identity = object('The identity of this workload: from the token, or from the settings before a token.', {
  tenantId: z.exactOptional(z.string()),
  tenantFrom: maybe('What sets the tenant in use.', z.enum(['PLATFORM_TENANT_ID', 'AZURE_TENANT_ID', 'profile'])),
  profileTenantId: maybe('`tenantId` of the profile.', z.string()),
  clientId: z.exactOptional(z.string()),
  objectId: z.exactOptional(z.string()),
  subscriptionId: z.exactOptional(z.string()),
})
export type Identity = Exact<z.infer<typeof Identity>>

export const SmokeTestResult = object('The result for one profile. Root cause and matrix need a requested token.', {
  profile: z.string(),
  status: RunStatus,
  checks: z.array(Check),
  warnings: z.array(Warning),
  notes: maybe('Placeholders of a built-in not in use, and what an on-premises stack cannot host.', z.array(Warning)),
  rootCause: z.exactOptional(RootCause),
  hosts: z.exactOptional(z.array(MatrixRow)),
})
export type SmokeTestResult = Exact<z.infer<typeof SmokeTestResult>>

export const SmokeTestRun = object('One run over several profiles.', {
  status: RunStatus,
  startedAt: time(),
  durationMs: milliseconds('Milliseconds.'),
  results: z.array(SmokeTestResult),
})
export type SmokeTestRun = Exact<z.infer<typeof SmokeTestRun>>

const AddedAuthorities = z.strictObject({
  variable: z.enum(trustVariables),
  status: z.enum(trustStatuses),
  certificates: about('The number of certificates in the file or store.', z.int()),
  reason: z.exactOptional(text('Why a file cannot be read, such as `ENOENT`.')),
})

const Runtime = object('The versions, trust store and proxy of this process.', {
  node: z.string(),
  openssl: z.string(),
  fips: z.boolean(),
  trustStore: z.strictObject({
    certificates: about('The number of trusted certificate authorities.', z.int()),
    sources: about('The sources: `bundled`, and the variables that added authorities.', z.array(z.string())),
    added: about('The result of each variable that adds authorities.', z.array(AddedAuthorities)),
  }),
  proxy: about('Whether a proxy variable is set.', z.boolean()),
})
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
  selectedBy: about(
    'The variable that selected the profile. `default`: no variable did. `option`: the caller did.',
    z.enum(['default', 'PLATFORM_CLOUD', 'CUSTOM_CLOUD_PROFILE_PATH', 'option'] satisfies SelectedBy[]),
  ),
  overrides: about('The override variables that took effect, by name.', z.array(z.string())),
})

const origin = {
  value: z.string(),
  by: about(
    'Whether the value comes from the profile, or a variable set, derived or dropped it.',
    z.enum(['profile', 'variable', 'derived', 'dropped']),
  ),
  from: about('The variable, or the source of the profile.', z.string()),
}
const ExplainedField = object('A value, its origin, and the overridden values in order of precedence.', {
  ...origin,
  overridden: z.exactOptional(z.array(z.strictObject(origin))),
})

export const DiagnosticsReport = object('The body of `/api/diagnostics`. A failed report has a `rootCause`.', {
  status: ReportStatus,
  version: text('The version of this build, such as `2.0.0`.'),
  instance: Instance,
  rootCause: z.exactOptional(RootCause),
  checkedAt: time(),
  cloud: ReportedCloud,
  authMode: z.string(),
  authModeFrom: text('`AUTH_MODE`, the variable by which the host offers the mode, or `default`.'),
  audienceFrom: text('What sets the audience: `profile`, a variable, `derived from VARIABLE`, or `discovered`.'),
  credential: z.string(),
  token: TokenResult,
  identity: Identity,
  clockSkewSeconds: maybe("Seconds that the local clock is ahead of the login authority's, if known.", z.number()),
  credentialExpiresOn: z.exactOptional(time('ISO 8601: when the client certificate expires. Absent in other modes.')),
  checks: z.array(Check),
  hosts: about('The probe matrix: one row per endpoint that was probed.', z.array(MatrixRow)),
  diagram: about(
    'This workload, the proxy, then every endpoint of the table, configured or not.',
    z.array(DiagramNode),
  ),
  warnings: z.array(Warning),
  smokeTest: about('The last scheduled run of this process.', z.nullable(SmokeTestRun)),
  runtime: Runtime,
  fields: maybe("Each field's value and origin; only with `?explain=true`.", z.record(z.string(), ExplainedField)),
})
export type DiagnosticsReport = Exact<z.infer<typeof DiagnosticsReport>>
