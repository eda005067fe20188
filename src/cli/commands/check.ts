import { escapeHidden, printable } from '../../lib/base/printable.ts'
import type { CloudFile } from '../../lib/clouds/cloud-file.ts'
import { isServiceError, type ErrorCode, type Warning, type WarningCode } from '../../lib/errors.ts'
import { explainDocument } from '../../lib/profile/explain-document.ts'
import { fields } from '../../lib/profile/field-path.ts'
import { lintProfile } from '../../lib/profile/lint-profile.ts'
import { InvalidProfileError, lineOf } from '../../lib/profile/parse-cloud-profile.ts'
import { readProfileFile } from '../../lib/profile/read-profile-file.ts'
import { cloudsOf } from '../../lib/profile/known-cloud-files.ts'
import { knownCloudsOption } from '../choose-profile.ts'
import { defineCommand, formatOption } from '../command.ts'
import { exitCodes } from '../exit.ts'
import type { Terminal } from '../terminal.ts'
import { paint, wrap } from '../text.ts'

/** The library of a format is loaded only for this format. */
const formats: Readonly<Record<string, () => Promise<(terminal: Terminal) => CheckReport>>> = {
  text: async () => textReport,
  json: async () => jsonReport,
  sarif: async () => (await import('../formats/check-sarif.ts')).sarifReport,
}

/** Milliseconds between two updates of the progress line. */
const progressInterval = 100

export const command = defineCommand({
  description:
    'Validates custom profile files, without the variables of this environment but PLATFORM_KNOWN_CLOUDS. A file that cannot be read is a finding.',
  options: {
    format: formatOption(Object.keys(formats)),
    ...knownCloudsOption,
    strict: { type: 'boolean', help: 'fail on placeholders and other warnings' },
  },
  positionals: { name: 'FILE…', least: 1, most: Infinity, message: 'Name at least one profile file' },
  notes: 'Exit code: 0 all passed, 1 a file failed, 2 usage error, 3 an internal error.',
  async run({ values, positionals }, terminal) {
    const report = (await formats[values.format]?.())?.(terminal)
    if (report === undefined) throw new Error(`No report ${values.format}`)
    const clouds = cloudsOf(terminal.env, values['known-clouds'])
    const check = (path: string) => checkFile(path, clouds)
    return checkFiles(positionals, check, values.strict, report, terminal) === 0 ? exitCodes.passed : exitCodes.failed
  },
})

/** @returns How many files failed. */
function checkFiles(
  paths: readonly string[],
  check: (path: string) => readonly FileFinding[],
  strict: boolean,
  report: CheckReport,
  { progress, sharesScreen }: Terminal,
): number {
  let failed = 0
  let withWarnings = 0
  let nextUpdate = 0
  for (const [index, path] of paths.entries()) {
    if (performance.now() >= nextUpdate) {
      progress.show(`${index} of ${paths.length} files`)
      nextUpdate = performance.now() + progressInterval
    }
    const findings = check(path)
    const warned = findings.some(({ level }) => level === 'warning')
    const passed = !findings.some(({ level }) => strict || level === 'error')
    if (!passed) failed += 1
    if (warned) withWarnings += 1
    if (sharesScreen) progress.clear()
    report.file(path, findings, passed)
  }
  progress.clear()
  report.end({ files: paths.length, failed, withWarnings })
  return failed
}

/** One error or warning about a file. */
export interface FileFinding {
  readonly level: 'error' | 'warning'
  readonly code: ErrorCode | WarningCode
  /** Dotted path, if the finding is about one field. */
  readonly field?: string
  readonly message: string
}

/** Checks one custom profile file, without the variables of this environment. A file that cannot be read is a finding too. */
function checkFile(path: string, clouds?: readonly CloudFile[]): FileFinding[] {
  try {
    const { profile, fields, warnings } = explainDocument(readProfileFile(path), { kind: 'file', path }, [])
    return [...warnings, ...lintProfile(profile, { origins: fields, clouds })].map(warningOf)
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (!(error instanceof InvalidProfileError)) return [{ level: 'error', code: error.code, message: error.message }]
    const problems = error.problems.map(({ path, message }): FileFinding => {
      const field = path === '' ? {} : { field: path }
      return { level: 'error', code: error.code, ...field, message: lineOf({ path, message }) }
    })
    return [...problems, ...error.unknownFields.map(warningOf)]
  }
}

function warningOf({ code, message }: Warning): FileFinding {
  return { level: 'warning', code, ...fieldOf(message), message }
}

const topLevel: ReadonlySet<string> = new Set(fields.flatMap(({ path }) => (path.includes('.') ? [] : [path])))

/** The field at the start of a message, or in its quotes. */
function fieldOf(message: string): { readonly field?: string } {
  const word = /^(?:Unknown field "([^"]+)"|([\w.]+))/.exec(message)
  const field = word?.[1] ?? word?.[2]
  const known = word?.[1] !== undefined || topLevel.has(field?.split('.')[0] ?? '')
  return field !== undefined && known ? { field } : {}
}

/** The totals of a run. */
interface CheckSummary {
  readonly files: number
  readonly failed: number
  readonly withWarnings: number
}

/** Writes each result at once, so that memory does not grow with the number of files. */
export interface CheckReport {
  file(path: string, findings: readonly FileFinding[], passed: boolean): void
  end(summary: CheckSummary): void
}

function textReport({ print, colors, width }: Terminal): CheckReport {
  const write = (text: string) => print(wrap(text, width))
  return {
    file(path, findings, passed) {
      const verdict = passed ? paint('ok  ', 'green', colors) : paint('FAIL', 'red', colors)
      const lines = findings.map(({ level, code, message }) => {
        const word = level === 'error' ? paint(level, 'red', colors) : paint(level, 'yellow', colors)
        return `      ${word} ${code}: ${printable(message)}\n`
      })
      write(`${verdict}  ${printable(path)}\n${lines.join('')}`)
    },
    end({ files, failed, withWarnings }) {
      write(`\n${files - failed} of ${files} passed, ${failed} failed, ${withWarnings} with warnings\n`)
    },
  }
}

function jsonReport({ print }: Terminal): CheckReport {
  let separator = '{\n  "files": [\n'
  return {
    file(path, findings, passed) {
      print(`${separator}    ${escapeHidden(JSON.stringify({ path, status: passed ? 'pass' : 'fail', findings }))}`)
      separator = ',\n'
    },
    end(summary) {
      print(`\n  ],\n  "summary": ${JSON.stringify(summary)}\n}\n`)
    },
  }
}
