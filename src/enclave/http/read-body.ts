import type { IncomingMessage } from 'node:http'

const limit = 1024 * 1024

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * The whole body as UTF-8 text.
 *
 * @throws {BodyTooLargeError} Past 1 MiB. The rest is read and dropped, so that the sender receives the answer.
 */
export async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
  }
  if (size > limit) throw new BodyTooLargeError(`The request body is larger than ${limit} bytes.`)
  return Buffer.concat(chunks).toString('utf8')
}
