import { ServiceError } from '../errors.ts'
import { CloudProfile } from './cloud-profile.ts'
import { fieldPaths, valueAt, type FieldPath } from './field-path.ts'
import { fieldRules } from './field-rules.ts'
import { showValue } from './show-value.ts'

/** One thing that is wrong with a profile. */
export interface ProfileProblem {
  readonly path: string
  readonly message: string
}

/**
 * Checks a document as a cloud profile: the schema phase, then the runtime phase. Nothing is repaired.
 *
 * @param input Any parsed JSON.
 * @param source What the document is called in the error, such as a file's path. Default is `cloud profile`.
 * @throws {ServiceError} `PROFILE_INVALID` that lists every problem at once, each with its dotted field path.
 */
export function parseCloudProfile(input: unknown, source = 'cloud profile'): CloudProfile {
  return parseWithOrigins(input, source, () => source)
}

/** As {@link parseCloudProfile}, with the origin of each field in the error (a file, a variable's name). */
export function parseWithOrigins(input: unknown, source: string, originOf: (path: string) => string): CloudProfile {
  const result = CloudProfile.safeParse(input)
  const problems = findProblems(input, result.error?.issues ?? [])
  if (result.success && problems.length === 0) return result.data as CloudProfile
  const lines = problems.map(({ path, message }) => {
    const origin = originOf(path)
    return `  ${path === '' ? '' : `${path}: `}${message}${origin === source ? '' : ` (from ${origin})`}`
  })
  throw new ServiceError('PROFILE_INVALID', [`Invalid cloud profile in ${source}:`, ...lines].join('\n'))
}

interface SchemaIssue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Both phases in the order of the fields; a field that fails both is reported once, in the runtime phase's words. */
function findProblems(input: unknown, issues: readonly SchemaIssue[]): ProfileProblem[] {
  const found = new Map<string, string>()
  for (const issue of issues) {
    const path = issue.path.join('.')
    found.set(path, describeIssue(issue, path === '' ? input : valueAt(input, path)))
  }
  for (const [path, rules] of Object.entries(fieldRules)) {
    const value = valueAt(input, path)
    if (typeof value !== 'string') continue
    const broken = rules.map((rule) => rule(value)).find((message) => message !== undefined)
    if (broken !== undefined) found.set(path, `${broken}, but is ${showValue(value)}`)
  }
  const order = (path: string) => {
    const index = fieldPaths.findIndex((known) => known === path || known.startsWith(`${path}.`))
    return index < 0 ? fieldPaths.length : index
  }
  return [...found].map(([path, message]) => ({ path, message })).sort((a, b) => order(a.path) - order(b.path))
}

function describeIssue({ code, path, message }: SchemaIssue, value: unknown): string {
  const whole = path.length === 0
  if (value === undefined && !whole) return 'is missing'
  if (code === 'invalid_value')
    return `must be one of ${CloudProfile.shape.environment.options.join(', ')}, but is ${showValue(value)}`
  if (code === 'invalid_type') {
    const leaf = fieldPaths.includes(path.join('.') as FieldPath)
    return `must be ${leaf ? 'a string' : 'an object'}, but is ${value === undefined ? 'missing' : showValue(value)}`
  }
  return whole ? message : `has an invalid value, ${showValue(value)}`
}
