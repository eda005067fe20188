/** Environment variables by name. A blank value counts as unset everywhere. */
export type Env = Readonly<Record<string, string | undefined>>

/** The value of a variable, or `undefined` when it is unset or blank. */
export function readVariable(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/** The value of a flag: `true` or `false`; `undefined` for any other text. */
export function parseFlag(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}
