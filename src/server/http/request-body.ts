import type { IncomingMessage } from 'node:http'

/** The longest body that a handler gets, in bytes. Our routes read none, and the server's own read a few. */
const maxBodyBytes = 64 * 1024

/** Reads a whole request body; `undefined` when it is longer than the limit: answer 413. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBodyBytes) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks, size)
}
