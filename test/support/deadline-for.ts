/**
 * Milliseconds for an attempt that ends with a code. A fault that ends in a timeout takes all of it; any other outcome must come first, on a
 * busy machine too.
 */
export function deadlineFor(code: string | undefined, short = 700): number {
  return code?.endsWith('_TIMEOUT') === true ? short : 30_000
}
