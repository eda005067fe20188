import { createReportAssembler } from '../../src/lib/diagnostics/assemble-report.ts'
import type { Check, Run } from '../../src/lib/diagnostics/run.ts'
import { configuredEndpoints, endpointTable } from '../../src/lib/diagnostics/endpoint-table.ts'
import { checkAcquired } from '../../src/lib/diagnostics/token-checks.ts'
import { ServiceError, type ErrorCode } from '../../src/lib/errors.ts'
import { layers } from '../../src/lib/findings/finding.ts'
import { findings } from '../../src/lib/findings/catalog.ts'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../src/lib/profile/identity-provider.ts'
import { findWarnings } from '../../src/lib/variables.ts'
import { readSettings } from '../../src/lib/settings/settings.ts'
import { fc } from './properties.ts'

/** These end an element, an attribute, a comment or the text before them, or a browser changes or hides them. */
const sharp = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</textarea></title></style></script></svg>',
  '-->',
  '<![CDATA[',
  '"',
  "'",
  '&quot;',
  '&#0;',
  ' onfocus=alert(1) autofocus ',
  'javascript:alert(1)',
  '\0',
  '\r\n',
  '\n',
  '\u202E',
  '\uFEFF',
  '\uFFFE',
  '\uD800',
  '🚀',
]
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...sharp), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 6 })
  .map((parts) => parts.join(''))

const env = { PLATFORM_KEY_VAULT: 'vault', PLATFORM_STORAGE_ACCOUNT: 'data', HTTPS_PROXY: 'http://proxy.test:3128' }
const settings = readSettings(env)
const cloud = resolveProvider(explainProfile({ env }))
const warnings = await findWarnings(cloud, env, settings)
const context = { cloud, warnings, settings, env, log: () => {}, lastSmokeTest: () => undefined }
export const assemble = createReportAssembler(context, configuredEndpoints(cloud.profile, settings))

const configured = endpointTable.filter(({ isOptional }) => !isOptional).map(({ id }) => id)
const names = ['proxy', 'dns', 'tcp', 'tls', 'document', 'issuer', 'clock', 'challenge', 'accepts-token', 'acquired']
const ids = ['token', 'profile', ...endpointTable.map(({ id }) => id)].flatMap((id) =>
  names.map((name) => `${id}.${name}`),
)
const text = fc.oneof(
  fc.constantFrom('x:y', 'urn:a', 'mailto:a@b', 'https://login.test/', 'null/', 'NaN', '', '{host}', 'a b', '\u202e'),
  fc.string(),
  hostileText,
)
const evidenceNames = ['challengeAuthority', 'publishedAuthority', 'skewSeconds', 'host', 'issuer', 'proxy', 'error']
const check: fc.Arbitrary<Check> = fc.record(
  {
    id: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.string() }),
    status: fc.constantFrom('pass', 'warn', 'fail', 'skip'),
    message: text,
    durationMs: fc.oneof(fc.nat(), fc.double()),
    code: fc.oneof(fc.constantFrom(...(Object.keys(findings) as ErrorCode[])), fc.string() as fc.Arbitrary<ErrorCode>),
    evidence: fc.dictionary(fc.oneof(fc.constantFrom(...evidenceNames), fc.string()), text),
    endpoint: fc.constantFrom(...configured),
    layer: fc.constantFrom(...layers),
  },
  { requiredKeys: ['id', 'status', 'message', 'durationMs', 'code'] },
)
const attempted = { startedAt: fc.constant(0), durationMs: fc.constant(1), cached: fc.constant(false) }
const acquired = fc.record({ token: text, expiresOnTimestamp: fc.double() })
const prompt = fc.record({ userCode: text, verificationUri: text, expiresOnTimestamp: fc.double() })
const error = text.map((message) => new ServiceError('TOKEN_REJECTED', message))
const token: fc.Arbitrary<Run['token']> = fc.oneof(
  fc.record({ ...attempted, status: fc.constant('acquired'), token: acquired }),
  fc.record({ ...attempted, status: fc.constant('failed'), error }),
  fc.record({ ...attempted, status: fc.constant('pending'), prompt: prompt as fc.Arbitrary<never> }),
)
/** Diagnostics runs with hostile facts. */
export const arbitraryRun: fc.Arbitrary<Run> = fc
  .record({
    token,
    checks: fc.array(check, { maxLength: 12 }),
    audience: text.map((each) => `${each}/`),
    plan: fc.constant(undefined),
    trace: fc.constant([]),
    checkedAt: fc.date({ noInvalidDate: false }),
  })
  .map((run) => ({ ...run, checks: [checkAcquired(run.token, 'authority'), ...run.checks] }))
