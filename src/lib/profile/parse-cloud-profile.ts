import { ServiceError, type Warning } from '../errors.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { checkProfile, withoutBlanks, type ProfileProblem } from './find-problems.ts'
import { escapeHidden } from '../base/printable.ts'
import { textsOf } from '../base/json.ts'
import { findUnknownFields } from './unknown-fields.ts'
import { referenceProblem } from './unresolved-reference.ts'

/**
 * Checks a document as a cloud profile. Nothing is repaired; a blank optional field counts as absent.
 *
 * @param input Any parsed JSON.
 * @param source The name of the document in the error, such as a file's path. Default is `cloud profile`.
 * @returns A copy with the fields of a profile, in their order, and no other.
 * @throws {ServiceError} `PROFILE_INVALID` that lists every problem at once, each with its dotted field path; `REFERENCE_UNRESOLVED` if a
 *   field holds a text that a deployment tool should have replaced.
 */
export function parseCloudProfile(input: unknown, source = 'cloud profile'): CloudProfile {
  return parseWithOrigins(withoutBlanks(input), source, () => source)
}

/** As {@link parseCloudProfile}, with the origin of each field in the error (a file, a variable's name). */
export function parseWithOrigins(input: unknown, source: string, originOf: (path: string) => string): CloudProfile {
  const references = findReferences(input)
  const { profile, problems = [] } = checkProfile(input)
  if (profile !== undefined && references.length === 0) return profile
  // A reference most often breaks the rule of its field too.
  const others = problems.filter(({ path }) => references.every((reference) => reference.path !== path))
  const named = [...references, ...others].map((problem) => {
    const origin = originOf(problem.path)
    return { ...problem, message: `${problem.message}${origin === source ? '' : ` (from ${escapeHidden(origin)})`}` }
  })
  const code = references.length > 0 ? 'REFERENCE_UNRESOLVED' : 'PROFILE_INVALID'
  throw new InvalidProfileError(code, source, named, findUnknownFields(input))
}

/** The fields that a deployment tool should have filled. */
function findReferences(document: unknown): ProfileProblem[] {
  return textsOf(document).flatMap(([path, value]) => {
    const message = referenceProblem(value)
    return message === undefined ? [] : { path, message }
  })
}

/** All that is wrong with a profile, and the fields beside it that no profile has: one of them may be meant for a missing one. */
export class InvalidProfileError extends ServiceError {
  readonly problems: readonly ProfileProblem[]
  readonly unknownFields: readonly Warning[]

  constructor(
    code: 'PROFILE_INVALID' | 'REFERENCE_UNRESOLVED',
    source: string,
    problems: readonly ProfileProblem[],
    unknownFields: readonly Warning[],
  ) {
    const lines = [...problems.map(lineOf), ...unknownFields.map(({ message }) => message)]
    super(code, [`Invalid cloud profile in ${escapeHidden(source)}:`, ...lines.map((line) => `  ${line}`)].join('\n'))
    this.problems = problems
    this.unknownFields = unknownFields
  }
}

/** A problem as one line. */
export function lineOf({ path, message }: ProfileProblem): string {
  return `${path === '' ? '' : `${path}: `}${message}`
}
