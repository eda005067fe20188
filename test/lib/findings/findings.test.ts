import { describe, expect, expectTypeOf, test } from 'vitest'
import { lineOfChange } from '../../../src/lib/errors.ts'
import { findings, generalFix } from '../../../src/lib/findings/catalog.ts'
import type { Finding, UnknownFact } from '../../../src/lib/findings/finding.ts'
import type { hostFindings, startFindings } from '../../../src/lib/findings/local-findings.ts'
import type { guardFindings } from '../../../src/lib/findings/guard-findings.ts'
import type { loginFindings } from '../../../src/lib/findings/login-findings.ts'
import type { exceptions, faults, nameFindings } from '../../../src/lib/findings/network-faults.ts'
import type { tokenFindings } from '../../../src/lib/findings/token-findings.ts'
import { toDiagnosis } from '../../../src/lib/diagnostics/checks.ts'
import { warningFindings, type WarningFinding } from '../../../src/lib/findings/warning-findings.ts'
import { type ErrorCode, ServiceError } from '../../../src/lib/errors.ts'
import { renderFindings } from '../../../scripts/generate/findings-document.ts'
import { settingRows } from '../../../src/lib/variables.ts'

/** The symptoms of the specification, as a person sees them, with a code that each must lead to. */
const specification: readonly (readonly [sign: string, code: ErrorCode])[] = [
  ['Authority host validation failed', 'EGRESS_BLOCKED'],
  ['Instance Discovery failed', 'EGRESS_BLOCKED'],
  ['Network request failed', 'AUTHORITY_DNS_FAILED'],
  ['Token acquired, API calls return 401', 'TOKEN_AUDIENCE_MISMATCH'],
  ['Token acquired, API calls return 401', 'CHALLENGE_AUDIENCE_MISMATCH'],
  ['Token acquired, API calls return 401', 'RESOURCE_MANAGER_REJECTED_TOKEN'],
  ['AADSTS50049: Unknown or invalid instance', 'INSTANCE_UNKNOWN'],
  ['Token acquisition failed', 'CLIENT_SECRET_INVALID'],
  ['Token acquisition failed', 'SERVICE_DNS_FAILED'],
  ['Token acquisition failed', 'SERVICE_FORBIDDEN'],
  ['Cloud profile not found', 'UNSUPPORTED_CLOUD'],
]

const verbs =
  /^(?:add|allow|ask|assign|change|check|compare|connect|copy|correct|create|extend|fix|get|install|look|open|pass|raise|register|reload|remove|replace|request|restart|run|set|start|synchronize|try|use|wait)\b/i

/** Whether a text begins with what to do, such as "Set X" or "If X is correct, set Y". */
function isImperative(text: string): boolean {
  return verbs.test(text) || verbs.test(/^If [^.]*?, (.*)/.exec(text)?.[1] ?? '')
}

describe('findings', () => {
  const everything = Object.entries<Finding | WarningFinding>({ ...findings, ...warningFindings })

  test.each(everything)('%s says what happened and what to change, concisely', (_code, finding) => {
    const { cause, text: fix } = generalFix(finding)
    expect(finding.title).toMatch(/^[A-Z][^.]{4,79}$/)
    expect(cause || 'The message of a warning may be enough.').toMatch(/^\S.{19,199}$/)
    expect(fix).toMatch(/^\S.{19,239}$/)
    expect([cause || '.', fix].every((text) => text.endsWith('.'))).toBe(true)
  })

  test('every fix begins with a verb, or with a condition and then a verb', () => {
    const fixes = everything.map(([code, finding]) => [code, generalFix(finding).text] as const)
    expect(fixes.length).toBeGreaterThan(150)
    expect(fixes.filter(([, text]) => !isImperative(text) || text.endsWith('for the reason.'))).toEqual([])
  })

  test('names no variable that the service does not read', () => {
    const known = new Set(settingRows.map(({ name }) => name))
    const named = everything.flatMap(
      ([, finding]) => JSON.stringify(generalFix(finding)).match(/\b(PLATFORM|CUSTOM|AUTH)_[A-Z_]+\b/g) ?? [],
    )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('a text that names an unknown fact does not compile', () => {
    type All = [typeof startFindings, typeof hostFindings, typeof guardFindings, typeof loginFindings]
    type Others = [typeof tokenFindings, typeof nameFindings, typeof faults, typeof exceptions]
    expectTypeOf<UnknownFact<[All, Others]>>().toBeNever()
    expectTypeOf<UnknownFact<{ cases: ['Replace {isuer}[ of {host}].'] }>>().toEqualTypeOf<'isuer'>()
  })

  test.each(specification)('"%s" leads to %s', (sign, code) => {
    expect(findings[code].signs).toContain(sign)
    const [, line = ''] = renderFindings().match(new RegExp(`^- ${sign}: (.*)$`, 'm')) ?? []
    expect(line).toContain(`\`${code}\``)
  })

  test('a sign is long enough not to be a word of any text', () => {
    const signs = everything.flatMap(([, { signs = [] }]) => signs)
    expect(signs.filter((sign) => sign.length < 8)).toEqual([])
  })
})

describe('explain', () => {
  test('adds cause and fix to the message of an error', () => {
    const error = new ServiceError('TENANT_UNKNOWN', 'login.enclave.test refused the token request (AADSTS90002)')
    expect(toDiagnosis(error)).toEqual({
      code: 'TENANT_UNKNOWN',
      message: error.message,
      cause: findings.TENANT_UNKNOWN.cause,
      fix: generalFix(findings.TENANT_UNKNOWN).text,
      change: { variable: 'PLATFORM_TENANT_ID' },
    })
  })

  test.each(['A_CODE_OF_A_NEWER_BUILD', 'constructor'])('explains the unknown code %s as unexpected', (code) => {
    expect(toDiagnosis(new ServiceError(code as ErrorCode, 'text')).fix).toBe(generalFix(findings.UNEXPECTED).text)
  })
})

test('a change is a line to copy only where its value is known', () => {
  expect(lineOfChange({ variable: 'PLATFORM_AUTHORITY_HOST' })).toBeUndefined()
  expect(lineOfChange({ variable: 'PLATFORM_TENANT_ID', value: "it's" })).toBe(`export PLATFORM_TENANT_ID='it'\\''s'`)
  const change = {
    field: 'serviceAudiences.storage',
    file: '/etc/enclave.json',
    value: 'https://storage.enclave.test/',
  }
  expect(lineOfChange(change)).toBe('/etc/enclave.json: "storage": "https://storage.enclave.test/"')
})
