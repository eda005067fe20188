import type { DiagnosticsReport, SmokeTestRun } from '../diagnostics/report.ts'
import type { ServiceError, Warning } from '../errors.ts'
import type { HealthEntry, HealthReport } from './health-report.ts'

/** The input of the health report. */
export interface HealthSource {
  /** Name of the active profile. */
  readonly profile: string
  /** Warnings for an operator. `undefined` if their lazy chunk cannot be loaded. */
  readonly warnings: readonly Warning[] | undefined
  /** Which variables of the credential are not set. */
  readonly missingCredential?: string | undefined
  /** The last token attempt. */
  readonly token?: { readonly status: 'acquired' | 'failed' | 'pending'; readonly error?: ServiceError } | undefined
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
    : entryOf(warnings?.length === 0, name)
  const result = token?.error?.code ?? token?.status
  const output = missingCredential === undefined ? result : `CREDENTIAL_SETTING_MISSING: ${missingCredential}`
  const tokens = output === undefined ? [] : [entryOf(output === 'acquired', output)]
  const { status, rootCause, checkedAt } = report ?? {}
  const signedIn = status === 'pending' && token?.status === 'acquired'
  const diagnostics =
    status === undefined || signedIn ? [] : [entryOf(status === 'ok', rootCause?.code ?? status, checkedAt)]
  const scheduled =
    smokeTest === undefined
      ? entryOf(true, 'No scheduled run since the start of this process')
      : entryOf(smokeTest.status === 'pass', smokeTest.status, smokeTest.startedAt)
  const isWarned = [profile, ...tokens, ...diagnostics].some(({ status }) => status === 'warn')
  return {
    status: profileInvalid ? 'fail' : isWarned ? 'warn' : 'pass',
    description: `Cloud profile ${name}`,
    checks: { profile: [profile], token: tokens, diagnostics, smokeTest: [scheduled] },
  }
}

const entryOf = (passes: boolean, output: string, time?: string): HealthEntry => ({
  status: passes ? 'pass' : 'warn',
  ...(time !== undefined && { time }),
  output,
})
