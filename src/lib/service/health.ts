import type { DiagnosticsReport, SmokeTestRun } from '../diagnostics/report.ts'
import type { Warning } from '../errors.ts'
import type { HealthEntry, HealthReport } from './health-report.ts'

/** The last token attempt. */
export interface LastToken {
  readonly status: 'acquired' | 'failed' | 'pending'
  readonly code?: string
}

/** The input of the health report. */
export interface HealthSource {
  /** Name of the active profile. */
  readonly profile: string
  /** Warnings for an operator. `undefined` if their lazy chunk cannot be loaded. */
  readonly warnings: readonly Warning[] | undefined
  /** Which variables of the credential are not set. */
  readonly missingCredential?: string | undefined
  readonly token?: LastToken | undefined
  /** The cached report. */
  readonly report?: Pick<DiagnosticsReport, 'status' | 'checkedAt' | 'rootCause'> | undefined
  readonly smokeTest?: SmokeTestRun | undefined
  /** Whether the last scheduled check found the active profile invalid. */
  readonly profileInvalid: boolean
}

/**
 * Reports the health from cached results, without a request. `fail` means that the platform should replace this instance, because its profile
 * is no longer valid. A login authority that does not respond is a `warn`, because a restart would not help.
 */
export function reportHealth(source: HealthSource): HealthReport {
  const { profile: name, warnings, missingCredential, token, report, smokeTest, profileInvalid } = source
  const profile: HealthEntry = profileInvalid
    ? { status: 'fail', output: 'The last scheduled check found the active profile invalid' }
    : { status: warnings?.length === 0 ? 'pass' : 'warn', output: name }
  const tokenOutput =
    missingCredential === undefined
      ? (token?.code ?? token?.status)
      : `CREDENTIAL_SETTING_MISSING: ${missingCredential}`
  const tokenEntry: HealthEntry[] =
    tokenOutput === undefined ? [] : [{ status: tokenOutput === 'acquired' ? 'pass' : 'warn', output: tokenOutput }]
  const signedIn = report?.status === 'pending' && token?.status === 'acquired'
  const checkEntry = report === undefined || signedIn ? [] : [entryOf(report)]
  const smokeTestEntry: HealthEntry =
    smokeTest === undefined
      ? { status: 'pass', output: 'No scheduled run since the start of this process' }
      : { status: smokeTest.status === 'pass' ? 'pass' : 'warn', time: smokeTest.startedAt, output: smokeTest.status }
  const entries = [profile, ...tokenEntry, ...checkEntry]
  const status = profileInvalid ? 'fail' : entries.some((entry) => entry.status === 'warn') ? 'warn' : 'pass'
  return {
    status,
    description: `Cloud profile ${name}`,
    checks: { profile: [profile], token: tokenEntry, diagnostics: checkEntry, smokeTest: [smokeTestEntry] },
  }
}

function entryOf({ status, checkedAt, rootCause }: NonNullable<HealthSource['report']>): HealthEntry {
  return { status: status === 'ok' ? 'pass' : 'warn', time: checkedAt, output: rootCause?.code ?? status }
}
