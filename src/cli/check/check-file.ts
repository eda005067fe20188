import type { CloudFile } from '../../lib/clouds/cloud-file.ts'
import { isServiceError, type ErrorCode, type Warning, type WarningCode } from '../../lib/errors.ts'
import { explainDocument } from '../../lib/profile/explain-document.ts'
import { fields } from '../../lib/profile/field-path.ts'
import { lintProfile } from '../../lib/profile/lint-profile.ts'
import { InvalidProfileError, lineOf } from '../../lib/profile/parse-cloud-profile.ts'
import { readProfileFile } from '../../lib/profile/read-profile-file.ts'

/** One error or warning about a file. */
export interface FileFinding {
  readonly level: 'error' | 'warning'
  readonly code: ErrorCode | WarningCode
  /** Dotted path, if the finding is about one field. */
  readonly field?: string
  readonly message: string
}

/** Checks one custom profile file, without the variables of this environment. A file that cannot be read is a finding too. */
export function checkFile(path: string, clouds?: readonly CloudFile[]): FileFinding[] {
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
