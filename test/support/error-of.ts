/** What a function throws. Fails when it throws nothing. */
export function errorOf(work: () => unknown): Error & { readonly code?: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('Nothing was thrown')
}
