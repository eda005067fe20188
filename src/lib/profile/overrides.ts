import { readVariable, type Env } from '../base/env.ts'
import { fields, type FieldPath } from './field-path.ts'

/** Which variable replaces which field. Of two variables for one field the first one set wins. */
export const overrideVariables: Readonly<Record<string, FieldPath>> = Object.fromEntries(
  fields.flatMap(({ path, facts: { overrides = [] } }) => overrides.map((variable) => [variable, path as FieldPath])),
)

/** A variable that is set, with the field it would replace. */
export interface Override {
  readonly variable: string
  readonly path: FieldPath
  readonly value: string
}

/** The override variables that are set, in the order of the table. */
export function findOverrides(env: Env): Override[] {
  return Object.entries(overrideVariables).flatMap(([variable, path]) => {
    const value = readVariable(env, variable)
    return value === undefined ? [] : [{ variable, path, value }]
  })
}
