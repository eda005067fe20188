/** The `code` of an error, such as `ENOENT`; `undefined` when it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
