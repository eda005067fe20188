import type { IncomingMessage } from 'node:http'

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * The whole body.
 *
 * @throws {BodyTooLargeError} Past the limit, before the first byte if the sender announces it. The rest is read and dropped,
 * so that the sender receives the answer.
 */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new BodyTooLargeError(`The request body is larger than ${limit} bytes.`)
  if (Number(incoming.headers['content-length']) > limit) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > limit) throw tooLarge()
  return Buffer.concat(chunks)
}
