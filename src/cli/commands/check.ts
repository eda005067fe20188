import type { CloudFile } from '../../lib/clouds/cloud-profile.ts'
import type { SmokeTestResult } from '../../lib/diagnostics/report.ts'
import { isServiceError, type ServiceError, type Warning, type ErrorCode, type WarningCode } from '../../lib/errors.ts'
import { explainDocument } from '../../lib/profile/explained-profile.ts'
import { lintProfile, withoutConsequences } from '../../lib/profile/lint-profile.ts'
import { resolveProvider } from '../../lib/profile/identity-provider.ts'
import { InvalidProfileError, lineOf } from '../../lib/profile/parse-cloud-profile.ts'
import { cloudsOf, parseProfileText, readProfileText } from '../../lib/profile/profile-files.ts'
import { knownCloudsOption } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import { explainFailures, formatText } from '../smoke-test-formats.ts'
import { resolve } from 'node:path'

export const command = defineCommand({
  description:
    'Validates custom profile files. Ignores all environment variables except PLATFORM_KNOWN_CLOUDS. An unreadable file fails too.',
  options: {
    format: formatOption(['text', 'json']),
    ...knownCloudsOption,
    strict: { help: 'fail on placeholders and other warnings' },
  },
  positionals: { name: 'FILE…', least: 1, most: Infinity, message: 'Name at least one profile file' },
  notes: 'Exit code: 0 all passed, 1 a file failed, 2 usage error, 3 an internal error.',
  async run({ values, positionals }, { env, note, print, printRaw, colors, width }) {
    const started = performance.now()
    const clouds = cloudsOf(env, values['known-clouds'])
    const files = positionals.map((path) => {
      const checked = checkFile(path, clouds)
      const passed = !checked.findings.some(({ level }) => values.strict || level === 'error')
      return { path, status: passed ? 'pass' : 'fail', ...checked } as const
    })
    const having = (isMatch: (finding: FileFinding) => boolean) =>
      files.filter(({ findings }) => findings.some(isMatch)).length
    const failed = files.filter(({ status }) => status === 'fail').length
    const withWarnings = having(({ level }) => level === 'warning')
    if (values.format === 'json') {
      const rows = files.map(({ path, status, findings }) => `    ${JSON.stringify({ path, status, findings })}`)
      const summary = JSON.stringify({ files: files.length, failed, withWarnings })
      print(`{\n  "files": [\n${rows.join(',\n')}\n  ],\n  "summary": ${summary}\n}\n`)
    } else {
      const results = await explainFailures(files.map(toResult))
      const status = failed > 0 ? 'fail' : withWarnings > 0 ? 'warn' : 'pass'
      const durationMs = Math.round(performance.now() - started)
      printRaw(formatText({ results, status, durationMs }, { colors, width, verbose: false }))
    }
    if (having(({ code }) => code === 'PROFILE_UNREADABLE') > 0)
      note(
        'A file to start from: "explain --format json" prints the active profile, and "discover" drafts one from a live cloud',
      )
    return failed === 0 ? exitCodes.passed : exitCodes.failed
  },
})

/** The findings of a file, and the error of an invalid one. */
interface CheckedFile {
  readonly findings: readonly FileFinding[]
  readonly failure?: Pick<ServiceError, 'code' | 'message'>
}

/** Checks one profile file, ignoring environment variables. An unreadable file is reported, not thrown. */
function checkFile(path: string, clouds: readonly CloudFile[]): CheckedFile {
  try {
    const document = parseProfileText(readProfileText(resolve(path)), resolve(path))
    const explained = explainDocument(document, { kind: 'file', path }, [])
    const cloud = resolveProvider({ ...explained, clouds })
    return { findings: withoutConsequences([...cloud.warnings, ...lintProfile(cloud)]).map(asFinding) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (!(error instanceof InvalidProfileError))
      return { findings: [{ level: 'error', code: error.code, message: error.message }], failure: error }
    const problems = error.problems.map((problem): FileFinding => {
      const field = problem.path === '' ? {} : { field: problem.path }
      return { level: 'error', code: error.code, ...field, message: lineOf(problem) }
    })
    return { findings: [...problems, ...error.unknownFields.map(asFinding)], failure: error }
  }
}

const asFinding = (warning: Warning): FileFinding => ({ level: 'warning', ...warning })

interface FileFinding extends Omit<Warning, 'code'> {
  readonly level: 'error' | 'warning'
  readonly code: ErrorCode | WarningCode
}

/** A file as a profile of the smoke test. */
function toResult(file: CheckedFile & { readonly path: string; readonly status: 'pass' | 'fail' }): SmokeTestResult {
  const { path, status, findings, failure } = file
  const invalid = { id: 'profile.valid', status: 'fail', durationMs: 0 } as const
  return {
    profile: path,
    status: status === 'pass' && findings.length > 0 ? 'warn' : status,
    checks: failure === undefined ? [] : [{ ...invalid, code: failure.code, message: failure.message }],
    // The message of an invalid profile lists its unknown fields too.
    warnings: failure === undefined ? (findings as readonly Warning[]) : [],
  }
}
