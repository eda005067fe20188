import type { IncomingMessage } from 'node:http'

const limit = 1024 * 1024

/**
 * The whole body as UTF-8 text.
 *
 * @throws {RangeError} Past 1 MiB.
 */
export async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw new RangeError(`The request body is larger than ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
