/** Variables that every process needs. */
const needed = ['PATH', 'HOME', 'TMPDIR']

/** The environment of a deployed function with no setting of ours: nothing of this shell may change what is measured. */
export function cleanEnvironment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of needed) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return { ...env, ...settings }
}
