/** The variables that every process needs, without others of this shell, which could affect the figures. */
export function cleanEnvironment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  return { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...settings }
}
