import junit from 'junit-report-builder'
import { eachLine } from '../../lib/base/printable.ts'
import type { SmokeTestRun } from '../../lib/diagnostics/report.ts'

/** Its types know the builder as a property `default` of the module; it is the module itself. */
const builder = junit as unknown as typeof junit.default

/** A run as JUnit XML: a suite per profile, a case per check; warnings are failures only when they failed the run. */
export function formatJunit({ results, startedAt }: SmokeTestRun): string {
  const report = builder.newBuilder()
  for (const { profile, status, checks, warnings, rootCause } of results) {
    const suite = report.testSuite().name(profile).timestamp(startedAt)
    if (rootCause !== undefined) suite.property('rootCause', `${rootCause.code}: ${rootCause.message}`)
    for (const { id, status: each, code, message, cause, fix, durationMs } of checks) {
      const testCase = suite
        .testCase()
        .className(profile)
        .name(id)
        .time(durationMs / 1000)
      const details = [message, cause && `Cause: ${cause}`, fix && `Fix: ${fix}`].filter(Boolean).join('\n')
      if (each === 'fail') testCase.failure(details, code ?? 'UNEXPECTED')
      if (each === 'skip') testCase.skipped()
      if (each === 'warn') testCase.standardOutput(details)
    }
    if (warnings.length === 0) continue
    const text = warnings.map(({ code, message }) => `${code}: ${message}`).join('\n')
    const testCase = suite.testCase().className(profile).name('profile.warnings')
    if (status === 'fail' && checks.every((check) => check.status !== 'fail')) testCase.failure(text, 'WARNINGS')
    else testCase.standardOutput(text)
  }
  return `${eachLine(report.build())}\n`
}
