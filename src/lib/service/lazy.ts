/**
 * Loads something at its first use and keeps it. A load that failed is tried again by the next one who asks: a full table
 * of descriptors or a file that is being replaced is gone a moment later.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
