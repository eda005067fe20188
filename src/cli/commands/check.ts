import type { CloudFile } from '../../lib/clouds/cloud-profile.ts'
import type { Check, SmokeTestResult } from '../../lib/diagnostics/report.ts'
import { isServiceError, type ServiceError, type Warning, type ErrorCode, type WarningCode } from '../../lib/errors.ts'
import { explainDocument } from '../../lib/profile/explained-profile.ts'
import { lintProfile, withoutConsequences } from '../../lib/profile/lint-profile.ts'
import { resolveProvider } from '../../lib/profile/resolved-cloud.ts'
import { InvalidProfileError, lineOf } from '../../lib/profile/parse-cloud-profile.ts'
import { cloudsOf, parseProfileText, readProfileText } from '../../lib/profile/profile-files.ts'
import { knownCloudsOption } from '../choose-profile.ts'
import { defineCommand, formatOption, exitCodes } from '../command.ts'
import { explainFailures, formatText } from '../smoke-test-formats.ts'
import { Raw, type Terminal } from '../terminal.ts'
import { resolve } from 'node:path'
import { escapeHidden } from '../../lib/base/printable.ts'

/** Milliseconds between updates of the progress line. */
const progressInterval = 100

export const command = defineCommand({
  description:
    'Validates custom profile files. Ignores all environment variables except PLATFORM_KNOWN_CLOUDS. An unreadable file fails too.',
  options: {
    format: formatOption(['text', 'json']),
    ...knownCloudsOption,
    strict: { type: 'boolean', help: 'fail on placeholders and other warnings' },
  },
  positionals: { name: 'FILE…', least: 1, most: Infinity, message: 'Name at least one profile file' },
  notes: 'Exit code: 0 all passed, 1 a file failed, 2 usage error, 3 an internal error.',
  async run({ values, positionals }, terminal) {
    const report = checkReports[values.format](terminal)
    const clouds = cloudsOf(terminal.env, values['known-clouds'])
    const check = (path: string) => checkFile(path, clouds)
    return (await checkFiles(positionals, check, values.strict, report, terminal)) === 0
      ? exitCodes.passed
      : exitCodes.failed
  },
})

/** @returns How many files failed. */
async function checkFiles(
  paths: readonly string[],
  check: (path: string) => CheckedFile,
  strict: boolean,
  report: CheckReport,
  { note, progress, sharesScreen }: Terminal,
): Promise<number> {
  let failed = 0
  let withWarnings = 0
  let isUnreadable = false
  let nextUpdate = 0
  for (const [index, path] of paths.entries()) {
    if (performance.now() >= nextUpdate) {
      progress.show(`${index} of ${paths.length} files`)
      nextUpdate = performance.now() + progressInterval
    }
    const checked = check(path)
    const { findings } = checked
    isUnreadable ||= findings.some(({ code }) => code === 'PROFILE_UNREADABLE')
    const passed = !findings.some(({ level }) => strict || level === 'error')
    if (!passed) failed += 1
    if (findings.some(({ level }) => level === 'warning')) withWarnings += 1
    if (sharesScreen) progress.clear()
    report.file(path, checked, passed)
  }
  progress.clear()
  await report.end({ files: paths.length, failed, withWarnings })
  if (isUnreadable)
    note(
      'A file to start from: "explain --format json" prints the active profile, and "discover" drafts one from a live cloud',
    )
  return failed
}

/** The findings of a file, and the error of an invalid one. */
interface CheckedFile {
  readonly findings: readonly FileFinding[]
  readonly failure?: Pick<ServiceError, 'code' | 'message'>
}

/** Checks one profile file, ignoring environment variables. An unreadable file is reported, not thrown. */
function checkFile(path: string, clouds?: readonly CloudFile[]): CheckedFile {
  try {
    const document = parseProfileText(readProfileText(resolve(path)), resolve(path))
    const explained = explainDocument(document, { kind: 'file', path }, [])
    const cloud = resolveProvider({ ...explained, ...(clouds && { clouds }) })
    return { findings: withoutConsequences([...cloud.warnings, ...lintProfile(cloud)]).map(asFinding) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (!(error instanceof InvalidProfileError))
      return { findings: [{ level: 'error', code: error.code, message: error.message }], failure: error }
    const problems = error.problems.map(({ path, message }): FileFinding => {
      const field = path === '' ? {} : { field: path }
      return { level: 'error', code: error.code, ...field, message: lineOf({ path, message }) }
    })
    return { findings: [...problems, ...error.unknownFields.map(asFinding)], failure: error }
  }
}

const asFinding = (warning: Warning): FileFinding => ({ level: 'warning', ...warning })

interface FileFinding extends Omit<Warning, 'code'> {
  readonly level: 'error' | 'warning'
  readonly code: ErrorCode | WarningCode
}

export interface CheckReport {
  file(path: string, checked: CheckedFile, passed: boolean): void
  /** Receives the numbers of files. */
  end(summary: Readonly<Record<'files' | 'failed' | 'withWarnings', number>>): void | Promise<void>
}

/** The text format of the smoke test, with a file as a profile. */
function textReport({ print, colors, width }: Terminal): CheckReport {
  const results: SmokeTestResult[] = []
  const started = performance.now()
  return {
    file(path, { findings, failure }, passed) {
      const status = passed ? (findings.length === 0 ? 'pass' : 'warn') : 'fail'
      const checks: Check[] =
        failure === undefined
          ? []
          : [{ id: 'profile.valid', status: 'fail', code: failure.code, message: failure.message, durationMs: 0 }]
      // The message of an invalid profile lists its unknown fields too.
      const warnings = failure === undefined ? (findings as readonly Warning[]) : []
      results.push({ profile: path, status, checks, warnings })
    },
    async end({ failed, withWarnings }) {
      const status = failed > 0 ? 'fail' : withWarnings > 0 ? 'warn' : 'pass'
      const run = {
        results: await explainFailures(results),
        status,
        durationMs: Math.round(performance.now() - started),
      } as const
      print(new Raw(formatText(run, { colors, width, verbose: false })))
    },
  }
}

function jsonReport({ print }: Terminal): CheckReport {
  let separator = '{\n  "files": [\n'
  return {
    file(path, { findings }, passed) {
      print(`${separator}    ${escapeHidden(JSON.stringify({ path, status: passed ? 'pass' : 'fail', findings }))}`)
      separator = ',\n'
    },
    end(summary) {
      print(`\n  ],\n  "summary": ${JSON.stringify(summary)}\n}\n`)
    },
  }
}

export const checkReports = { text: textReport, json: jsonReport } as const
