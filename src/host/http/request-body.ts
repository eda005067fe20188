import type { IncomingMessage } from 'node:http'

/** 100 MB, the limit of the real host. */
export const maxBodyBytes = 104_857_600

/** Reads a whole request body; `undefined` when it is longer than `limit` bytes: answer 413. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > limit) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks, size)
}
