const hidden = new Map<string, { users: number; readonly value: string }>()

/**
 * Hides variables of this process while work runs, and puts them back when the last user of each is done. For the few
 * that the credential library reads behind its caller's back and that no option overrides.
 */
export async function withoutVariables<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
  for (const name of names) {
    const entry = hidden.get(name)
    const value = process.env[name]
    if (entry !== undefined) entry.users++
    else if (value !== undefined) hidden.set(name, { users: 1, value })
    delete process.env[name]
  }
  try {
    return await work()
  } finally {
    for (const name of names) {
      const entry = hidden.get(name)
      if (entry === undefined || --entry.users > 0) continue
      process.env[name] = entry.value
      hidden.delete(name)
    }
  }
}
