import { parseFlag, readVariable, type Env } from '../base/env.ts'
import { showValue } from '../base/show-value.ts'
import { ServiceError } from '../errors.ts'
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

/**
 * Whether PLATFORM_OVERRIDE_CUSTOM_PROFILE applies the overrides to a custom file too.
 *
 * @throws {ServiceError} `SETTING_INVALID` that names the variable and its value.
 */
export function readOverrideSwitch(env: Env): boolean {
  const value = readVariable(env, 'PLATFORM_OVERRIDE_CUSTOM_PROFILE') ?? 'false'
  const isApplied = parseFlag(value.trim())
  if (isApplied !== undefined) return isApplied
  throw new ServiceError(
    'SETTING_INVALID',
    `PLATFORM_OVERRIDE_CUSTOM_PROFILE must be true or false, but is ${showValue(value)}`,
  )
}
