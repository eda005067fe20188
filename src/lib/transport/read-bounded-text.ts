import type { Readable } from 'node:stream'

/** A response exceeds its size limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * Reads a body as UTF-8 text, without a byte order mark. The stream is destroyed when the signal aborts or the limit is exceeded: the
 * library's own reader waits forever for a body that stalls.
 *
 * @param maxBytes Bytes after decompression.
 */
export async function readBoundedText(
  stream: NodeJS.ReadableStream,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const readable = stream as Readable
  const stop = () => {
    readable.destroy(new DOMException('The attempt has ended', 'AbortError'))
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of readable) {
      const bytes = Buffer.from(chunk as Uint8Array)
      size += bytes.length
      if (size > maxBytes) throw new BodyTooLargeError(`more than ${maxBytes} bytes`)
      chunks.push(bytes)
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
