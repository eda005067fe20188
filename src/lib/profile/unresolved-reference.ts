import { referenceKindOf } from '../base/reference-kinds.ts'
import { ServiceError } from '../errors.ts'

/** Which problem a value is that a deployment tool should have replaced. Names the tool, never the value, which may lead to a secret. */
export function referenceProblem(value: string): string | undefined {
  const kind = referenceKindOf(value)
  return kind && `is a reference of ${kind.tool} that was not replaced. ${kind.fix}`
}

/**
 * Refuses values that a deployment tool should have replaced, before the service contacts anything: it would send each of them literally.
 *
 * @param values By the name of their variable, option or file.
 * @throws {ServiceError} `REFERENCE_UNRESOLVED` that names each.
 */
export function refuseReferences(values: Readonly<Record<string, string | undefined>>): void {
  const lines = Object.entries(values).flatMap(([name, value]) => {
    const problem = value === undefined ? undefined : referenceProblem(value)
    return problem === undefined ? [] : `${name} ${problem}`
  })
  if (lines.length > 0) throw new ServiceError('REFERENCE_UNRESOLVED', lines.join('\n'))
}
